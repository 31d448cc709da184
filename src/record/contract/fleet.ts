/** `FleetRecord`: what many runs share: holds, and sightings of failures and restarts. */
import type { Hold, HoldChange } from '../../core/vocabulary/hold.ts';
import type { Sighting } from '../../core/fleet/shared-cause.ts';

/** Lifted holds are needed until the last held run has seen it. */
export const LIFTED_KEPT_MS = 24 * 3_600_000;
/** Longer than any window that counts sightings. */
export const SIGHTINGS_KEPT_MS = 24 * 3_600_000;

export interface FleetRecord {
  /** Every hold, also those lifted within a day. */
  holds(): Promise<readonly Hold[]>;
  /**
   * Applies the change to the row as it is now, at the time of the store, in one transaction; null when it does not fit
   * any more.
   */
  changeHold(change: HoldChange): Promise<Hold | null>;
  /** Failures and restarts of all runs, kept for a day under the time of the store. */
  sight(sighting: Omit<Sighting, 'at'>): Promise<void>;
  /** Of the last so many milliseconds, oldest first. */
  sightings(windowMs: number): Promise<readonly Sighting[]>;
}
