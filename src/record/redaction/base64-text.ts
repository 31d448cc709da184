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
const SIX_BITS = new Uint8Array(128);
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
for (let bits = 0; bits < ALPHABET.length; bits++) SIX_BITS[ALPHABET.charCodeAt(bits)] = bits;
SIX_BITS['-'.charCodeAt(0)] = 62;
SIX_BITS['_'.charCodeAt(0)] = 63;

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
  if (!mayBeText(text)) return false;
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

function mayBeText(base64: string): boolean {
  for (let at = 0; at < PROBE_CHARS; at += 4) {
    let bits = 0;
    for (let index = at; index < at + 4; index++)
      bits = (bits << 6) | (SIX_BITS[base64.charCodeAt(index)] as number);
    if (!isTextByte(bits >> 16) || !isTextByte((bits >> 8) & 0xff) || !isTextByte(bits & 0xff)) return false;
  }
  return true;
}

function isTextByte(byte: number): boolean {
  return (byte >= 0x20 && byte <= 0x7e) || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
