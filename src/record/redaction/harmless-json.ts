/**
 * `harmlessJson`: tells of JSON text that it is well-formed and that each of its texts, names too, is harmless by itself. It makes no
 * values of it, which takes several times as long; what a keeper stores is nearly always harmless.
 */

const LITERAL = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** Documents of one kind are nearly the same turn after turn: so many kinds are remembered, */
const MAX_KINDS = 64;
/** if they are not longer than this. */
const MAX_CHARS = 64 * 1024;
/** The engine compares pieces much faster than characters. */
const [LARGEST_PIECE, SMALLEST_PIECE] = [1024, 16];
const QUOTES_OF_KIND = 4;
/** Characters are told apart by number, which takes half as long. */
const [QUOTE, COLON, COMMA, OBJECT, OBJECT_END, LIST, LIST_END] = Array.from('":,{}[]', (char) =>
  char.charCodeAt(0),
);

/** A value of a list, or a member of an object from its name on, that was found harmless. */
interface Part {
  readonly chars: number;
  /** Of the list or object in it, one character apart. */
  readonly parts: readonly Part[];
}

const NO_PARTS: readonly Part[] = [];

/** `isHarmless` is asked about texts as they are written between their quotes. False: something is not so, or has spaces in between. */
export function harmlessJson(
  maxDepth: number,
  isHarmless: (written: string) => boolean,
): (json: string) => boolean {
  const known = new Map<string, { readonly json: string; readonly whole: Part }>();
  return (json) => {
    const kind = kindOf(json);
    const before = known.get(kind);
    const whole = new Reading(json, before?.json ?? '', isHarmless).value(before?.whole, 0, maxDepth);
    if (whole === null || whole.chars !== json.length) return false;
    if (json.length <= MAX_CHARS) {
      if (known.size >= MAX_KINDS) known.clear();
      known.set(kind, { json, whole });
    }
    return true;
  };
}

/** What it begins with, up to the end of the text after the first name: the type of an event, the run of a document. */
function kindOf(json: string): string {
  let end = json.indexOf('"');
  for (let quotes = 1; quotes < QUOTES_OF_KIND && end !== -1; quotes += 1) end = json.indexOf('"', end + 1);
  return end === -1 ? json : json.slice(0, end);
}

/**
 * Reads a document beside the one before it. A part that stands, letter by letter, at the same place of the same lists and objects in both
 * is harmless here, too. `old`, `oldAt`: what the document before has at that place, and where. Null: no JSON, or not harmless.
 */
class Reading {
  #at = 0;
  /** Up to here it is the same as the document before, which has it so many characters further in front. */
  #sameTo = -1;
  #shift = 0;
  readonly #json: string;
  readonly #before: string;
  readonly #isHarmless: (written: string) => boolean;

  constructor(json: string, before: string, isHarmless: (written: string) => boolean) {
    this.#json = json;
    this.#before = before;
    this.#isHarmless = isHarmless;
  }

  value(old: Part | undefined, oldAt: number, depthLeft: number): Part | null {
    const start = this.#at;
    const char = this.#json.charCodeAt(start);
    if (char === OBJECT || char === LIST) {
      // What is a value in a list is no member of an object.
      const isAlike = this.#before.charCodeAt(oldAt) === char;
      return depthLeft === 0 ? null : this.#inside(isAlike ? old : undefined, oldAt + 1, depthLeft - 1);
    }
    if (char === QUOTE) {
      const end = endOfText(this.#json, start + 1);
      if (end === -1 || !this.#isHarmless(this.#json.slice(start + 1, end))) return null;
      this.#at = end + 1;
    } else {
      LITERAL.lastIndex = start;
      if (!LITERAL.test(this.#json)) return null;
      this.#at = LITERAL.lastIndex;
    }
    return { chars: this.#at - start, parts: NO_PARTS };
  }

  /** Of a list or an object. */
  #inside(old: Part | undefined, oldAt: number, depthLeft: number): Part | null {
    const start = this.#at;
    const isObject = this.#json.charCodeAt(start) === OBJECT;
    const end = isObject ? OBJECT_END : LIST_END;
    const parts: Part[] = [];
    this.#at += 1;
    for (let char = COMMA, place = oldAt; char !== end; this.#at += 1) {
      if (char !== COMMA) return null;
      if (parts.length > 0 || this.#json.charCodeAt(this.#at) !== end) {
        const oldPart = old?.parts[parts.length];
        const part =
          this.#same(oldPart, place) ??
          (isObject ? this.#member(oldPart, place, depthLeft) : this.value(oldPart, place, depthLeft));
        if (part === null) return null;
        parts.push(part);
        place += (oldPart?.chars ?? 0) + 1;
      }
      char = this.#json.charCodeAt(this.#at);
    }
    return { chars: this.#at - start, parts };
  }

  #member(old: Part | undefined, oldAt: number, depthLeft: number): Part | null {
    const start = this.#at;
    if (this.#json.charCodeAt(start) !== QUOTE) return null;
    const end = endOfText(this.#json, start + 1);
    if (end === -1 || this.#json.charCodeAt(end + 1) !== COLON) return null;
    const isSameName = old !== undefined && this.#isSameTo(end + 2, oldAt);
    if (!isSameName && !this.#isHarmless(this.#json.slice(start + 1, end))) return null;
    this.#at = end + 2;
    const value = this.value(isSameName ? old : undefined, oldAt + this.#at - start, depthLeft);
    return value === null ? null : { chars: this.#at - start, parts: value.parts };
  }

  /** Passes the part if it is the same as in the document before. */
  #same(old: Part | undefined, oldAt: number): Part | null {
    if (old === undefined) return null;
    const end = this.#at + old.chars;
    const char = this.#json.charCodeAt(end);
    // Else it may be a number that goes on.
    const isEnd = char === COMMA || char === OBJECT_END || char === LIST_END;
    if (!isEnd || !this.#isSameTo(end, oldAt)) return null;
    this.#at = end;
    return old;
  }

  #isSameTo(end: number, oldAt: number): boolean {
    const shift = this.#at - oldAt;
    if (shift !== this.#shift || this.#at > this.#sameTo) {
      this.#shift = shift;
      this.#sameTo = this.#at + sameChars(this.#json, this.#at, this.#before, oldAt);
    }
    return end <= this.#sameTo;
  }
}

/** How many characters are the same from there on. */
function sameChars(json: string, at: number, before: string, oldAt: number): number {
  const most = Math.min(json.length - at, before.length - oldAt);
  let same = 0;
  for (let piece = LARGEST_PIECE; piece >= SMALLEST_PIECE; piece /= 4)
    while (
      same + piece <= most &&
      json.slice(at + same, at + same + piece) === before.slice(oldAt + same, oldAt + same + piece)
    )
      same += piece;
  while (same < most && json.charCodeAt(at + same) === before.charCodeAt(oldAt + same)) same += 1;
  return same;
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
