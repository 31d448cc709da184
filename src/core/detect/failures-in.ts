/** `failuresIn`: how many tests failed, by the summary of a check. */

const COUNTED =
  /\b(\d{1,5}) (?:failed|failing|failures?|errors?)\b|\b(?:failures|errors|failed)[=:] ?(\d{1,5})/gi;
const SUMMARY_CHARS = 2_000;

/** The last count that a check gives; null if it gives none. */
export function failuresIn(text: string): number | null {
  const last = [...text.slice(-SUMMARY_CHARS).matchAll(COUNTED)].at(-1);
  return last === undefined ? null : Number(last[1] ?? last[2]);
}
