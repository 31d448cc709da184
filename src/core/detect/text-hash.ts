/** `hashExact`, `hashLoose`, `hashShape`, `hashLooseOpening`: hashes to find equal texts, from strict to tolerant. */

/** Tool outputs that differ do so early. */
const HASHED_CHARS = 8_192;
/** Of a longer text the beginning, where outputs differ, and the end, where a summary stands, are compared. */
const HEAD_CHARS = 1_024;
const TAIL_CHARS = 512;
/** Only the opening is compared, so that a changing end, such as a time, does not hide an equal beginning. */
const OPENING_CHARS = 240;
/** A text longer than this is a document, not a message. */
const SHAPE_CHARS = 160;

/** Zero means "no text" everywhere, so no text may have that hash. */
export function hashExact(text: string): number {
  const end = Math.min(text.length, HASHED_CHARS);
  let hash = 0x811c9dc5;
  for (let i = 0; i < end; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return Math.imul(hash ^ text.length, 0x01000193) || 1;
}

/** Numbers and white space do not count. */
export function hashLoose(text: string, limit: number = HASHED_CHARS): number {
  return hashExact(loose(text.slice(0, limit)));
}

export function hashLooseOpening(text: string): { readonly whole: number; readonly opening: number } {
  const isLong = text.length > HEAD_CHARS + TAIL_CHARS;
  const excerpt = isLong ? `${text.slice(0, HEAD_CHARS)}…${text.slice(-TAIL_CHARS)}` : text;
  return { opening: hashLoose(text, OPENING_CHARS), whole: hashLoose(excerpt) };
}

function loose(text: string): string {
  return text.replaceAll(/[\0- ]+/g, ' ').replaceAll(/\d+/g, '0');
}

/** A quoted name; a single quote begins one only where a word may begin. */
const QUOTED = /"[^"\n]*(?:"|\n|$)|`[^`\n]*(?:`|\n|$)|(?<=^|[\0-(])'[^'\n]*(?:'|\n|$)/g;

/** Quoted words and paths do not count either. */
export function hashShape(text: string): number {
  const tokens = text.slice(0, SHAPE_CHARS).replaceAll(QUOTED, ' " ').split(/\s+/);
  return hashExact(
    tokens
      .map((word) => (/[./]/.test(word) ? '/' : word.replaceAll(/\d/g, '0')))
      .join(' ')
      .trim(),
  );
}
