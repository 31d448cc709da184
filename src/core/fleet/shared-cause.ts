/** Several runs failing alike, and a fleet that restarts too much: both seen only by looking at all runs together. */
import type { Policy } from '../policy.ts';

/** One failure (or restart) of one run, as the record keeps it for a while. */
export interface Sighting {
  readonly runId: string;
  readonly key: string;
  readonly at: number;
}

/** Key of the sightings that count restarts. */
export const RESTART_SIGHTING = 'restart';

/** The runs that met this cause within the window, where they are enough to call it shared. */
export function sharedCause(
  sightings: readonly Sighting[],
  key: string,
  now: number,
  { shared_cause_runs, shared_cause_window_ms }: Policy,
): readonly string[] | null {
  const runs = new Set(
    sightings
      .filter((seen) => seen.key === key && seen.at > now - shared_cause_window_ms)
      .map(({ runId }) => runId),
  );
  return runs.size >= shared_cause_runs ? [...runs] : null;
}

/** When the next restart fits under the fleet's cap; null: at once. */
export function fleetFreeAt(
  sightings: readonly Sighting[],
  now: number,
  { fleet_restarts, fleet_window_ms }: Policy,
): number | null {
  const recent = sightings
    .filter(({ key, at }) => key === RESTART_SIGHTING && at > now - fleet_window_ms)
    .map(({ at }) => at)
    .toSorted((a, b) => a - b);
  if (recent.length < fleet_restarts) return null;
  return (recent[recent.length - fleet_restarts] ?? now) + fleet_window_ms;
}
