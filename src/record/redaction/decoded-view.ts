/**
 * `decodedView`: a piece of text as its reader would see it, without colour, invisible characters and escapes (URL, JSON, HTML), with the
 * place of every character in the original. Secrets that are found in the view are hidden in the original.
 */
export interface DecodedView {
  readonly text: string;
  /** Where the part [start, end) of the view stands in the original. */
  readonly place: (start: number, end: number) => readonly [start: number, end: number];
}

/** Zero bytes of UTF-16, other control characters, characters without width. */
const INVISIBLE = '\\0-\\x08\\x0b\\x0c\\x0e-\\x1a\\x7f\\xad\\u200b-\\u200f\\u2060\\ufeff';
const ESCAPE = new RegExp(
  [
    '\\x1b\\[[0-?]{0,64}[ -/]{0,8}[@-~]',
    '\\x1b\\][^\\x07\\x1b\\n]{0,2048}(?:\\x07|\\x1b\\\\)?',
    '\\x1b[@-Z\\\\^_]?',
    `[${INVISIBLE}]`,
    '%[0-7][0-9A-Fa-f]',
    '\\\\u[0-9A-Fa-f]{4}',
    '\\\\x[0-9A-Fa-f]{2}',
    '\\\\[nrtbfe"\'/\\\\]',
    '&(?:amp|quot|apos|lt|gt|#\\d{1,6}|#x[0-9A-Fa-f]{1,5});',
  ].join('|'),
  'g',
);
/** Escapes that can stand in the middle of a secret or of its name. The others are only decoded where something is suspicious. */
export const HIDING_ESCAPE = new RegExp(
  `[${INVISIBLE}\\x1b]|%[2-7][0-9A-Fa-f]|\\\\u00[0-7]|\\\\x[2-7]|&(?:amp|quot|apos|#)`,
  'g',
);
const LETTERS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '', f: '', e: '\x1b' };
const NAMES: Readonly<Record<string, string>> = { amp: '&', quot: '"', apos: "'", lt: '<', gt: '>' };

/** Null where there is nothing to decode. */
export function decodedView(original: string): DecodedView | null {
  const parts: string[] = [];
  let chars = 0;
  let from = 0;
  /** Pieces of the view in order: where each begins in the view and in the original, and its length there if it is an escape. */
  const [starts, origins, lengths]: [number[], number[], number[]] = [[], [], []];
  const add = (text: string, origin: number, length: number): void => {
    if (text === '') return;
    starts.push(chars);
    origins.push(origin);
    lengths.push(length);
    parts.push(text);
    chars += text.length;
  };
  ESCAPE.lastIndex = 0;
  for (let hit = ESCAPE.exec(original); hit !== null; hit = ESCAPE.exec(original)) {
    add(original.slice(from, hit.index), from, 0);
    add(meaningOf(hit[0]), hit.index, hit[0].length);
    from = hit.index + hit[0].length;
  }
  if (from === 0) return null;
  add(original.slice(from), from, 0);
  const pieceAt = (at: number): number => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] as number) <= at) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  /** Where the character at `at` begins and ends in the original. */
  const spot = (at: number): readonly [number, number] => {
    const piece = pieceAt(at);
    const [start, origin, length] = [starts[piece], origins[piece], lengths[piece]] as [
      number,
      number,
      number,
    ];
    return length > 0 ? [origin, origin + length] : [origin + at - start, origin + at - start + 1];
  };
  return { text: parts.join(''), place: (start, end) => [spot(start)[0], spot(end - 1)[1]] };
}

function meaningOf(escape: string): string {
  if (escape.startsWith('%')) return character(escape.slice(1));
  if (escape.startsWith('&#x')) return character(escape.slice(3, -1));
  if (escape.startsWith('&#')) return character(Number(escape.slice(2, -1)).toString(16));
  if (escape.startsWith('&')) return NAMES[escape.slice(1, -1)] ?? '';
  if (!escape.startsWith('\\')) return '';
  const letter = escape[1] as string;
  if (letter === 'u' || letter === 'x') return character(escape.slice(2));
  return LETTERS[letter] ?? letter;
}

/** One code unit, or nothing. */
function character(hex: string): string {
  return String.fromCharCode(Number.parseInt(hex, 16) & 0xffff);
}
