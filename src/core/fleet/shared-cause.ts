/** `sharedCause`, `fleetFreeAt`: find from the sightings of all runs that several fail alike, and that all together restart too much. */
import type { Policy } from '../vocabulary/policy.ts';

/** One failure (or restart) of one run, as the record keeps it for a while. */
export interface Sighting {
  readonly runId: string;
  readonly key: string;
  readonly at: number;
}

/** Key of the sightings that count restarts. */
export const RESTART_SIGHTING = 'restart';

/** Key of the sightings of runs that met this cause and then made progress. */
export function recoveredFrom(cause: string): string {
  return `recovered:${cause}`;
}

/**
 * The runs that met this cause within the window, where they are enough to call it shared. A run that met it and made
 * progress again is evidence against it: only failures after the last such recovery count.
 */
export function sharedCause(
  sightings: readonly Sighting[],
  key: string,
  now: number,
  { shared_cause_runs, shared_cause_window_ms }: Policy,
): readonly string[] | null {
  const recovered = sightings.filter((seen) => seen.key === recoveredFrom(key)).map(({ at }) => at);
  const since = Math.max(now - shared_cause_window_ms, ...recovered);
  const runs = new Set(
    sightings.filter((seen) => seen.key === key && seen.at > since).map(({ runId }) => runId),
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
