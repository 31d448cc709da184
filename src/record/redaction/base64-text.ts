/** `base64Pieces`: the parts of a run of characters that are base64 of plain text. */
export interface Base64Piece {
  readonly start: number;
  readonly end: number;
  readonly decoded: string;
}

/** Less hides no secret that could be told from a word. */
const MIN_CHARS = 20;
/** More is a file; its beginning tells. */
const MAX_CHARS = 64 * 1024;
/** Twelve bytes of anything else are hardly ever all printable. */
const PROBE_CHARS = 16;

export function base64Pieces(run: string): Base64Piece[] {
  const pieces: Base64Piece[] = [];
  if (run.length < MIN_CHARS) return pieces;
  eachPart(run, 0, /[.~]/g, (part, start) => {
    // In a path the slashes are borders.
    if (!add(pieces, part, start) && part.includes('/'))
      eachPart(part, start, /\//g, (name, at) => add(pieces, name, at));
  });
  return pieces;
}

function eachPart(
  text: string,
  offset: number,
  border: RegExp,
  use: (part: string, start: number) => void,
): void {
  let start = 0;
  while (text.length - start >= MIN_CHARS) {
    border.lastIndex = start;
    const end = border.exec(text)?.index ?? text.length;
    if (end - start >= MIN_CHARS) use(text.slice(start, end), offset + start);
    start = end + 1;
  }
}

function add(pieces: Base64Piece[], text: string, start: number): boolean {
  if (decodeBase64Text(text.slice(0, PROBE_CHARS)) === null) return false;
  const decoded = decodeBase64Text(text.slice(0, MAX_CHARS));
  if (decoded === null) return false;
  pieces.push({ start, end: start + text.length, decoded });
  return true;
}

/** What base64 says, if it is text. The end may be cut. */
export function decodeBase64Text(text: string): string | null {
  const decoded = Buffer.from(text, 'base64').toString('latin1');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: white space is text
  return decoded !== '' && /^[\x20-\x7e\n\r\t]*$/.test(decoded) ? decoded : null;
}
