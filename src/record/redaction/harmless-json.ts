/**
 * `harmlessJson`: tells of JSON text that it is well-formed and that each of its texts, names too, is harmless by itself. It makes no
 * values of it, which takes several times as long; what a keeper stores is nearly always harmless.
 */

const LITERAL = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** Documents of one kind are nearly the same turn after turn: so many kinds are remembered, */
const MAX_KINDS = 64;
/** if they are not longer than this. */
const MAX_CHARS = 64 * 1024;

/** `isHarmless` is asked about texts as they are written between their quotes. False: something is not so, or cannot be told. */
export function harmlessJson(
  maxDepth: number,
  isHarmless: (written: string) => boolean,
): (json: string) => boolean {
  const known = new Map<string, readonly string[]>();
  return (json) => {
    const pieces = json.split('"');
    // The first name and the text after it: the type of an event, the run of a document.
    const kind = `${pieces[1]}"${pieces[3]}`;
    // With escapes it cannot be said which pieces are texts.
    const isPlain = !json.includes('\\');
    const before = (isPlain ? known.get(kind) : null) ?? [];
    // Where something came in between, what follows stands so much further back.
    const shift = before.length - pieces.length;
    const isKnown = (written: string, index: number): boolean =>
      written === before[index] || written === before[index + shift];
    if (
      !isHarmlessInPieces(
        pieces,
        maxDepth,
        (written, index) => isKnown(written, index) || isHarmless(written),
      )
    )
      return false;
    if (isPlain && json.length <= MAX_CHARS) {
      if (known.size >= MAX_KINDS) known.clear();
      known.set(kind, pieces);
    }
    return true;
  };
}

function isHarmlessInPieces(
  pieces: readonly string[],
  maxDepth: number,
  isHarmless: (written: string, index: number) => boolean,
): boolean {
  const structure = new Structure(maxDepth);
  const last = pieces.length - 1;
  for (let index = 0; ; index += 1) {
    if (!structure.goesOnWith(pieces[index] as string)) return false;
    if (index === last) return structure.isWhole;
    index += 1;
    let written = pieces[index] as string;
    while (endsWithEscape(written) && index < last) {
      index += 1;
      written += `"${pieces[index]}`;
    }
    // Without its closing quote.
    if (index === last) return false;
    if (!structure.takesText() || !isHarmless(written, index)) return false;
  }
}

/** Whether the quote that follows belongs to the text. */
function endsWithEscape(written: string): boolean {
  let start = written.length;
  while (start > 0 && written[start - 1] === '\\') start -= 1;
  return (written.length - start) % 2 === 1;
}

/** What JSON has around its texts, read piece by piece. */
class Structure {
  /** What must come next; `first`: or the end of the list or object that has just begun. */
  #next: 'value' | 'first value' | 'name' | 'first name' | 'colon' | 'end' = 'value';
  /** Of the lists and objects that are open, from the outside in. */
  readonly #isObject: boolean[] = [];
  readonly #maxDepth: number;

  constructor(maxDepth: number) {
    this.#maxDepth = maxDepth;
  }

  get isWhole(): boolean {
    return this.#next === 'end' && this.#isObject.length === 0;
  }

  takesText(): boolean {
    if (this.#next !== 'name' && this.#next !== 'first name') return this.#takesValue();
    this.#next = 'colon';
    return true;
  }

  goesOnWith(piece: string): boolean {
    for (let at = 0; at < piece.length; at += 1)
      switch (piece[at]) {
        case ',':
          if (this.#next !== 'end' || this.#isObject.length === 0) return false;
          this.#next = this.#isObject.at(-1) === true ? 'name' : 'value';
          break;
        case ':':
          if (this.#next !== 'colon') return false;
          this.#next = 'value';
          break;
        case '{':
        case '[':
          if (!this.#opens(piece[at] === '{')) return false;
          break;
        case '}':
        case ']':
          if (!this.#closes(piece[at] === '}')) return false;
          break;
        case ' ':
        case '\n':
        case '\r':
        case '\t':
          break;
        default:
          LITERAL.lastIndex = at;
          if (!LITERAL.test(piece) || !this.#takesValue()) return false;
          at = LITERAL.lastIndex - 1;
      }
    return true;
  }

  #takesValue(): boolean {
    if (this.#next !== 'value' && this.#next !== 'first value') return false;
    this.#next = 'end';
    return true;
  }

  #opens(isObject: boolean): boolean {
    if (!this.#takesValue() || this.#isObject.push(isObject) > this.#maxDepth) return false;
    this.#next = isObject ? 'first name' : 'first value';
    return true;
  }

  #closes(isObject: boolean): boolean {
    if (this.#isObject.pop() !== isObject) return false;
    if (this.#next !== 'end' && this.#next !== (isObject ? 'first name' : 'first value')) return false;
    this.#next = 'end';
    return true;
  }
}
