/** `textWidth`, `cutToWidth`, `cutCell`, `padToWidth`, `wrapToWidth`: text in the cells of a terminal: a wide character takes two. */

/** East Asian wide and full-width blocks. */
const WIDE_BLOCKS = [
  '\\u1100-\\u115F\\u2329\\u232A\\u2E80-\\u303E\\u3041-\\u4DBF\\u4E00-\\uA4CF\\uA960-\\uA97F\\uAC00-\\uD7A3',
  '\\uF900-\\uFAFF\\uFE10-\\uFE19\\uFE30-\\uFE6F\\uFF00-\\uFF60\\uFFE0-\\uFFE6',
  '\\u{16FE0}-\\u{18DFF}\\u{1AFF0}-\\u{1B2FF}\\u{20000}-\\u{3FFFD}',
].join('');
const WIDE = new RegExp(`^(?:[${WIDE_BLOCKS}]|(?!\\p{Regional_Indicator})\\p{Emoji_Presentation})$`, 'u');
const NONE = /^[\p{Mn}\p{Me}\p{Cc}\p{Cf}]$/u;
/** A colour is set by a sequence that begins with it. */
const ESCAPE = '\u001B';
const ASCII = /^[\x20-\x7E]*$/;

export function textWidth(text: string): number {
  if (ASCII.test(text)) return text.length;
  return partsOf(text).reduce((width, part) => width + widthOf(part), 0);
}

/** A text that is cut ends with `…`; it is never wider than `width`. */
export function cutToWidth(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  return width < 1 ? '' : `${headOf(text, width - 1)}…`;
}

/** As `cutToWidth`; a path keeps its end, which tells it from its neighbours. */
export function cutCell(text: string, width: number): string {
  if (!/^\/\S*$/.test(text) || textWidth(text) <= width || width < 1) return cutToWidth(text, width);
  let end = text.slice(1);
  while (textWidth(end) > width - 1) end = end.slice(1);
  return `…${end}`;
}

export function padToWidth(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - textWidth(text)));
}

/** A mark, a label or a time, and then the words: the lines that follow begin under the words. */
const LEAD = /^ *(?:\S+(?: \S+){0,3} {2,})?(?:[^\s\p{L}\p{N}] )?/u;

/**
 * Lines of at most `width` cells, broken at blanks where there are any. The next ones begin under the words of the first, or `hanging`
 * cells in. `keepsWords`: a wider word is a line of its own, so that an address or a path can be copied.
 */
export function wrapToWidth(
  text: string,
  width: number,
  { hanging = 0, keepsWords = false }: { readonly hanging?: number; readonly keepsWords?: boolean } = {},
): string[] {
  const most = Math.max(0, Math.min(Math.floor(width / 2), width - 2));
  const first = Math.min(most, /^ */.exec(text)?.[0].length ?? 0);
  const words = textWidth(LEAD.exec(text.trimEnd())?.[0] ?? '');
  const next = ' '.repeat(words > 0 && words <= most ? words : first > 0 ? first : Math.min(most, hanging));
  const lines: string[] = [];
  let rest = `${' '.repeat(first)}${text.trim()}`;
  let from = first;
  while (textWidth(rest) > width) {
    const head = headOf(rest, width);
    const blank = rest[head.length] === ' ' ? head.length : head.lastIndexOf(' ');
    // In a single cell not even one wide character fits; it is then its own line.
    const one = String.fromCodePoint(rest.codePointAt(from) ?? 0).length;
    const word = keepsWords ? wordEnd(rest, from) : Math.max(head.length, from + one);
    const line = rest.slice(0, blank > from ? blank : word);
    if (line.length === rest.length) break;
    lines.push(line.trimEnd());
    rest = `${next}${rest.slice(line.length).trimStart()}`;
    from = next.length;
  }
  return [...lines, rest.trimEnd()];
}

function wordEnd(text: string, from: number): number {
  const end = text.indexOf(' ', from);
  return end === -1 ? text.length : end;
}

function headOf(text: string, width: number): string {
  let left = width;
  let end = 0;
  for (const part of partsOf(text)) {
    left -= widthOf(part);
    if (left < 0) break;
    end += part.length;
  }
  return text.slice(0, end);
}

const PART = new RegExp(`${ESCAPE}\\[[\\d;]*m|.`, 'gsu');

/** Its characters; an escape sequence that sets a colour is one part without a width. */
function partsOf(text: string): readonly string[] {
  return text.match(PART) ?? [];
}

function widthOf(part: string): 0 | 1 | 2 {
  if (part.length > 2 || NONE.test(part)) return 0;
  return WIDE.test(part) ? 2 : 1;
}
