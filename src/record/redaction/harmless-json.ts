/**
 * `isHarmlessJson`: tells of JSON text that it is well-formed and that each of its texts, names too, is harmless by itself. It makes no
 * values of it, which takes several times as long; what a keeper stores is nearly always harmless.
 */

const LITERAL = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** `isHarmless` is asked about each text as it is written between its quotes. False: something is not so, or cannot be told. */
export function isHarmlessJson(
  json: string,
  maxDepth: number,
  isHarmless: (written: string) => boolean,
): boolean {
  const pieces = json.split('"');
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
    if (!structure.takesText() || !isHarmless(written)) return false;
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
