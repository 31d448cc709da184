/**
 * `harmlessJson`: tells of JSON text that it is well-formed and that each of its texts, names too, is harmless by itself. It makes no
 * values of it, which takes several times as long; what a keeper stores is nearly always harmless.
 */

const LITERAL = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** Documents of one kind are nearly the same turn after turn: so many kinds are remembered, */
const MAX_KINDS = 64;
/** if they are not longer than this. */
const MAX_CHARS = 64 * 1024;
/** Documents are compared by pieces of half the length each time: the engine compares pieces much faster than characters. */
const LARGEST_PIECE = 512;
/** Characters are told apart by number, which takes half as long. */
const [QUOTE, COLON, COMMA, OBJECT, OBJECT_END, LIST, LIST_END, ...SPACES] = Array.from(
  '":,{}[] \n\r\t',
  (char) => char.charCodeAt(0),
);

/** `isHarmless` is asked about texts as they are written between their quotes. False: something is not so, or cannot be told. */
export function harmlessJson(
  maxDepth: number,
  isHarmless: (written: string) => boolean,
): (json: string) => boolean {
  const known = new Map<string, string>();
  return (json) => {
    // The first name and the text after it: the type of an event, the run of a document.
    const kind = json.split('"', 4).join('"');
    const before = known.get(kind) ?? '';
    // A text that lies with its quotes where both documents are the same was a text in the one before, too.
    const sameTo = sameChars(json, before, 'start');
    const sameFrom = json.length - sameChars(json, before, 'end');
    const takesText = (start: number, end: number): boolean =>
      end < sameTo || start > sameFrom || isHarmless(json.slice(start, end));
    if (!isWellFormed(json, maxDepth, takesText)) return false;
    // With escapes it could not be said where its texts begin.
    if (json.length <= MAX_CHARS && !json.includes('\\')) {
      if (known.size >= MAX_KINDS) known.clear();
      known.set(kind, json);
    }
    return true;
  };
}

/** How many characters are the same at the beginning, or at the end. */
function sameChars(json: string, before: string, at: 'start' | 'end'): number {
  const [length, lengthBefore] = at === 'start' ? [0, 0] : [json.length, before.length];
  const most = Math.min(json.length, before.length);
  let same = 0;
  const isSame = (chars: number): boolean => {
    const [from, to] = at === 'start' ? [same, same + chars] : [-same - chars, -same];
    return json.slice(length + from, length + to) === before.slice(lengthBefore + from, lengthBefore + to);
  };
  for (let piece = LARGEST_PIECE; piece >= 1; piece /= 2)
    while (same + piece <= most && isSame(piece)) same += piece;
  return same;
}

/** What must come next in JSON; `first`: or the end of the list or object that has just begun. */
type Next = 'value' | 'first value' | 'name' | 'first name' | 'colon' | 'end';

/** `takesText`: is told where each text begins and ends between its quotes; false ends it. */
function isWellFormed(
  json: string,
  maxDepth: number,
  takesText: (start: number, end: number) => boolean,
): boolean {
  let next: Next = 'value';
  /** Of the lists and objects that are open, from the outside in. */
  const isObject: boolean[] = [];
  for (let at = 0; at < json.length; at += 1) {
    const char = json.charCodeAt(at);
    if (char === COLON) {
      if (next !== 'colon') return false;
      next = 'value';
    } else if (char === COMMA) {
      if (next !== 'end' || isObject.length === 0) return false;
      next = isObject.at(-1) === true ? 'name' : 'value';
    } else if (char === QUOTE) {
      const end = endOfText(json, at + 1);
      const isName: boolean = next === 'name' || next === 'first name';
      if (end === -1 || !(isName || takesValue(next)) || !takesText(at + 1, end)) return false;
      next = isName ? 'colon' : 'end';
      at = end;
    } else if (char === OBJECT || char === LIST) {
      if (!takesValue(next) || isObject.push(char === OBJECT) > maxDepth) return false;
      next = char === OBJECT ? 'first name' : 'first value';
    } else if (char === OBJECT_END || char === LIST_END) {
      if (isObject.pop() !== (char === OBJECT_END)) return false;
      if (next !== 'end' && next !== (char === OBJECT_END ? 'first name' : 'first value')) return false;
      next = 'end';
    } else if (!SPACES.includes(char)) {
      LITERAL.lastIndex = at;
      if (!LITERAL.test(json) || !takesValue(next)) return false;
      next = 'end';
      at = LITERAL.lastIndex - 1;
    }
  }
  return next === 'end' && isObject.length === 0;
}

function takesValue(next: Next): boolean {
  return next === 'value' || next === 'first value';
}

/** The place of the quote that closes the text, -1 without one. */
function endOfText(json: string, start: number): number {
  let end = json.indexOf('"', start);
  while (end !== -1 && isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end;
}

function isEscaped(json: string, at: number): boolean {
  let first = at;
  while (json[first - 1] === '\\') first -= 1;
  return (at - first) % 2 === 1;
}
