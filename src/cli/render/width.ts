/** `textWidth`, `cutToWidth`, `padToWidth`, `wrapToWidth`: text measured in the cells of a terminal, where a wide character takes two. */

/** East Asian wide and full-width blocks. */
const WIDE_BLOCKS = [
  '\\u1100-\\u115F\\u2329\\u232A\\u2E80-\\u303E\\u3041-\\u4DBF\\u4E00-\\uA4CF\\uA960-\\uA97F\\uAC00-\\uD7A3',
  '\\uF900-\\uFAFF\\uFE10-\\uFE19\\uFE30-\\uFE6F\\uFF00-\\uFF60\\uFFE0-\\uFFE6',
  '\\u{16FE0}-\\u{18DFF}\\u{1AFF0}-\\u{1B2FF}\\u{20000}-\\u{3FFFD}',
].join('');
const WIDE = new RegExp(`^(?:[${WIDE_BLOCKS}]|(?!\\p{Regional_Indicator})\\p{Emoji_Presentation})$`, 'u');
const NONE = /^[\p{Mn}\p{Me}\p{Cc}\p{Cf}]$/u;
const ASCII = /^[\x20-\x7E]*$/;

export function textWidth(text: string): number {
  if (ASCII.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += widthOf(character);
  return width;
}

/** A text that is cut ends with `…`; it is never wider than `width`. */
export function cutToWidth(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  return width < 1 ? '' : `${headOf(text, width - 1)}…`;
}

export function padToWidth(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - textWidth(text)));
}

/** Lines of at most `width` cells, broken at blanks where there are any. The next ones begin under the first, or `hanging` cells in. */
export function wrapToWidth(text: string, width: number, hanging = 0): string[] {
  const most = Math.max(0, Math.min(Math.floor(width / 2), width - 2));
  const first = Math.min(most, /^ */.exec(text)?.[0].length ?? 0);
  const next = ' '.repeat(first > 0 ? first : Math.min(most, hanging));
  const lines: string[] = [];
  let rest = `${' '.repeat(first)}${text.trim()}`;
  let from = first;
  while (textWidth(rest) > width) {
    const head = headOf(rest, width);
    const blank = rest[head.length] === ' ' ? head.length : head.lastIndexOf(' ');
    // In a single cell not even one wide character fits; it is then its own line.
    const one = String.fromCodePoint(rest.codePointAt(from) ?? 0).length;
    const line = rest.slice(0, blank > from ? blank : Math.max(head.length, from + one));
    lines.push(line.trimEnd());
    rest = `${next}${rest.slice(line.length).trimStart()}`;
    from = next.length;
  }
  return [...lines, rest.trimEnd()];
}

function headOf(text: string, width: number): string {
  let left = width;
  let end = 0;
  for (const character of text) {
    left -= widthOf(character);
    if (left < 0) break;
    end += character.length;
  }
  return text.slice(0, end);
}

function widthOf(character: string): 0 | 1 | 2 {
  if (NONE.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}
