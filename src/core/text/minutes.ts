/** `minutes`: a duration as words of a sentence, in the unit of which there are at least two. */

export function minutes(ms: number): string {
  if (ms < 120_000) return `${Math.round(ms / 1000)} s`;
  if (ms < 2 * HOUR_MS) return `${Math.round(ms / 60_000)} min`;
  return ms < 48 * HOUR_MS ? `${Math.floor(ms / HOUR_MS)} h` : `${Math.round(ms / HOUR_MS / 24)} days`;
}

const HOUR_MS = 3_600_000;
