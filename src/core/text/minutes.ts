/** `minutes`: a duration as words of a sentence. Below two minutes the seconds are told: 90 s are not 2 min. */

export function minutes(ms: number): string {
  return ms < 120_000 ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`;
}
