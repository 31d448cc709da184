/** `findPrivateKeys`: private keys in a text, also those without their end. They are the only secrets that span lines. */
import type { FoundSecret } from './secret-context.ts';

const BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const END = /-?-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/y;
/** The closing line or a colour, cut off by the end of the text. */
const PARTIAL_END = new RegExp(
  ['^(?:-{1,6}(?:E(?:N(?:D[A-Z0-9 ]{0,60}-{0,4})?)?)?', '\\x1b(?:\\[[0-9;]{0,32})?)$'].join('|'),
);
const MAX_END_CHARS = 80;
/**
 * What may stand between the two: header lines, base64, line ends (also escaped ones), colour, and what tools put before a line (its
 * number, the mark of a difference or quotation).
 */
const BODY = new RegExp(
  [
    '(?:Proc-Type|DEK-Info|Version|Comment|Hash): ?[^\\n]{0,200}',
    '[A-Za-z0-9+/=\\s]+',
    '\\\\+[nrt]',
    '\\x1b\\[[0-9;]{0,32}m',
    '(?<=\\n[ \\t]{0,8}\\d{0,7})[→|:>]',
    '(?<=\\n(?:\\x1b\\[[0-9;]{0,32}m){0,2})-(?!-)',
    '["\'],?(?=\\s)|(?<=\\n[ \\t]{0,16})["\']',
  ].join('|'),
  'y',
);

export function findPrivateKeys(text: string): FoundSecret[] {
  const found: FoundSecret[] = [];
  if (!text.includes('PRIVATE KEY')) return found;
  for (const begin of text.matchAll(BEGIN)) {
    let end = skipKeyBody(text, begin.index + begin[0].length);
    END.lastIndex = end;
    if (END.test(text)) end = END.lastIndex;
    else if (PARTIAL_END.test(text.slice(end, end + MAX_END_CHARS))) end = text.length;
    found.push({ name: 'private-key', start: begin.index, end });
  }
  return found;
}

/** Where the characters that may belong to a key end. */
function skipKeyBody(text: string, from: number): number {
  let end = from;
  for (;;) {
    BODY.lastIndex = end;
    if (!BODY.test(text)) return end;
    end = BODY.lastIndex;
  }
}
