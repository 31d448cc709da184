/** `MATCH_CHARS` and its neighbours: bounds of the reader and the matcher. Every input is cut to these before a pattern sees it. */

/** Longest line a pattern sees: error lines are shorter, and it keeps any pattern's worst case a small constant. */
export const MATCH_CHARS = 2_000;

/** Longest evidence text: a whole JSON error body fits, a base64 blob does not. */
export const EVIDENCE_CHARS = 4_000;

/** Lines kept from the start: set-up, the command echoed, the first errors of a compiler. */
export const HEAD_LINES = 3_000;

/** Lines kept from the end: the trace that ended the run and the summary. */
export const TAIL_LINES = 3_000;

/** Lines kept from the middle because they look like a failure. */
export const MIDDLE_LINES = 2_000;

/** Evidence lines in a result: enough to see the cause and where it shows, few enough to read. */
export const EVIDENCE_LINES = 5;

/** An output of this many lines may be one document: a tool result in JSON, or a log whose newlines were escaped. */
export const WIDE_LINES = 12;

/** So much of such a line is read. */
export const WIDE_CHARS = 1_048_576;
