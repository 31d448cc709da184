/** `chantIn`, `isQuoted`: find a phrase that repeats without a break inside one message. Code, tables and logs do so honestly. */

export interface Chant {
  readonly times: number;
  /** How much of the message it takes. */
  readonly chars: number;
  readonly phrase: string;
}

/** Shorter messages cannot chant long enough to matter. */
const CHANT_CHARS = 120;
const SCANNED_CHARS = 20_000;
/** Two places are compared when this many characters before them are equal. */
const WINDOW = 20;
const TABLE_SIZE = 4_096;
const PHRASE_CHARS = 80;
/** A phrase of one or two characters is a drawing or padding, not speech. */
const PHRASE_LEAST_CHARS = 3;

const FENCED = /^ {0,3}(```|~~~)/;
const TABLE_ROW = /^\s*\||\|.*\|/;
const LIST_ITEM = /^\s*(?:[-*+•]|\d{1,3}[.)])\s/;
const DIVIDER = /^[^\p{L}\p{N}]*$/u;
const INDENTED_CODE = /^(?: {4}|\t)/;
const JSON_LINE = /^\s*(?:[{}\]]|\[\s*(?:["{[\d-]|$)|"(?:[^"\\]|\\.)*"\s*(?:[:,]|$))/;
const LOG_LINE =
  /^\s*(?:>|[[(]?(?:\d{4}-\d\d-\d\d|\d\d:\d\d:\d\d)|[[(]?(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL)\b)/;

export function isQuoted(line: string): boolean {
  return JSON_LINE.test(line) || LOG_LINE.test(line);
}

export function chantIn(text: string): Chant | null {
  if (text.length < CHANT_CHARS) return null;
  const prose = proseOf(text);
  return prose.length < CHANT_CHARS ? null : longestPeriod(prose);
}

function proseOf(text: string): string {
  const kept: string[] = [];
  let isCode = false;
  for (const line of text.slice(0, SCANNED_CHARS).split('\n')) {
    if (FENCED.test(line)) isCode = !isCode;
    else if (
      !isCode &&
      !TABLE_ROW.test(line) &&
      !LIST_ITEM.test(line) &&
      !DIVIDER.test(line) &&
      !INDENTED_CODE.test(line) &&
      !isQuoted(line)
    )
      kept.push(line.trim());
  }
  return kept.join(' ').replace(/\s+/g, ' ');
}

/** Looks each window of characters up where it stood last; a chant finds it at the same distance again and again. */
function longestPeriod(prose: string): Chant | null {
  const lastAt = new Int32Array(TABLE_SIZE).fill(-1);
  let period = 0;
  let run = 0;
  let best = { chars: 0, period: 0, end: 0 };
  let hash = 0;
  const leave = dropFactor(WINDOW);
  for (let i = 0; i < prose.length; i++) {
    hash = (Math.imul(hash, 31) + prose.charCodeAt(i)) | 0;
    if (i >= WINDOW) hash = (hash - Math.imul(prose.charCodeAt(i - WINDOW), leave)) | 0;
    if (i < WINDOW - 1) continue;
    const slot = (hash ^ (hash >>> 15)) & (TABLE_SIZE - 1);
    const distance = i - (lastAt[slot] as number);
    const isKnown = lastAt[slot] !== -1;
    lastAt[slot] = i;
    if (period > 0 && prose.charCodeAt(i) === prose.charCodeAt(i - period)) run++;
    else if (isKnown && prose.charCodeAt(i) === prose.charCodeAt(i - distance)) [period, run] = [distance, 1];
    else [period, run] = [0, 0];
    if (run > best.chars) best = { chars: run, period, end: i };
  }
  if (best.period < PHRASE_LEAST_CHARS) return null;
  const phrase = prose.slice(best.end - best.period + 1, best.end + 1).trim();
  if (!/\p{L}/u.test(phrase)) return null;
  const times = Math.floor(best.chars / best.period) + 1;
  return { times, chars: times * best.period, phrase: phrase.slice(0, PHRASE_CHARS) };
}

/** By what a character has to be multiplied when it leaves the window. */
function dropFactor(window: number): number {
  let factor = 1;
  for (let i = 0; i < window; i++) factor = Math.imul(factor, 31);
  return factor;
}
