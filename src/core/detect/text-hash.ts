/**
 * `hashExact`, `hashLoose`, `hashShape`: three hashes to find equal texts, from strict to tolerant, each in one pass and without building
 * strings. Exact: every character counts. Loose: numbers and white space do not count. Shape: quoted words and paths do not count either.
 */

/** Tool outputs that differ do so early; reading more would only cost time. */
const HASHED_CHARS = 8_192;
/** Of a longer text the beginning, where outputs differ, and the end, where a summary stands, are compared; the middle only costs time. */
const HEAD_CHARS = 1_024;
const TAIL_CHARS = 512;
/** Only the opening is compared, so that a changing end, such as a time, does not hide an equal beginning. */
const OPENING_CHARS = 240;
/** A text longer than this is a document, not a message. */
const SHAPE_CHARS = 160;

const SEED = 0x811c9dc5;
const PRIME = 0x01000193;

const encoder = new TextEncoder();
/** A character of a string takes three bytes at most. */
const bytes = new Uint8Array(3 * HASHED_CHARS);

function mix(hash: number, code: number): number {
  return Math.imul(hash ^ code, PRIME);
}

/** Zero means "no text" everywhere, so no text may have that hash. A signed number of 32 bits is kept without an object of its own. */
function finish(hash: number): number {
  return hash | 0 || 1;
}

export function hashExact(text: string): number {
  const end = Math.min(text.length, HASHED_CHARS);
  let hash = SEED;
  for (let i = 0; i < end; i++) hash = mix(hash, text.charCodeAt(i));
  return finish(mix(hash, text.length));
}

export function hashLoose(text: string, limit: number = HASHED_CHARS): number {
  return finish(mixLoose(text, 0, Math.min(text.length, limit), SEED));
}

/** The hash of the whole text and of its opening, in one pass. */
export function hashLooseOpening(text: string): { readonly whole: number; readonly opening: number } {
  const { length } = text;
  const isLong = length > HEAD_CHARS + TAIL_CHARS;
  const end = isLong ? HEAD_CHARS : length;
  const middle = Math.min(end, OPENING_CHARS);
  const opening = mixLoose(text, 0, middle, SEED);
  const head = mixLoose(text, middle, end, opening);
  const whole = isLong ? mixLoose(text, length - TAIL_CHARS, length, head) : head;
  return { opening: finish(opening), whole: finish(whole) };
}

const SPACE = 32;
const DIGIT = 48;
/** What each byte counts as: a digit is as good as any other, and so is white space. */
const LOOSE = new Uint8Array(256).map((_, code) =>
  code <= SPACE ? SPACE : code >= DIGIT && code < DIGIT + 10 ? DIGIT : code,
);

/** Reads the text as bytes: a text that was cut out of another is slow to read character by character. */
function mixLoose(text: string, from: number, to: number, seed: number): number {
  const { written } = encoder.encodeInto(text.slice(from, to), bytes);
  let hash = seed | 0;
  let previous = 0;
  for (let i = 0; i < written; i++) {
    const code = LOOSE[bytes[i] as number] as number;
    if (code !== previous || (code !== DIGIT && code !== SPACE)) hash = mix(hash, code);
    previous = code;
  }
  return hash;
}

export function hashShape(text: string): number {
  const end = Math.min(text.length, SHAPE_CHARS);
  let hash = SEED;
  let word = SEED;
  let isPath = false;
  let quote = 0;
  for (let i = 0; i <= end; i++) {
    const code = i < end ? text.charCodeAt(i) : 32;
    if (quote !== 0) {
      if (code === quote || code === 10) quote = 0;
      continue;
    }
    if (code === 34 || code === 96 || (code === 39 && (i === 0 || text.charCodeAt(i - 1) <= 40))) {
      quote = code;
      hash = mix(hash, 34);
    } else if (code <= 32) {
      if (word !== SEED) hash = mix(hash, isPath ? 47 : word);
      word = SEED;
      isPath = false;
    } else {
      if (code === 47 || code === 46) isPath = true;
      word = mix(word, code >= 48 && code <= 57 ? 48 : code);
    }
  }
  return finish(hash);
}
