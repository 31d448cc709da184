/**
 * `NeedleScan`: finds which of many words occur in a text, in one pass (Aho-Corasick). It decides which patterns run: a line without any
 * of a pattern's words cannot match it.
 */

/** Letters, digits and the common signs; every other character is one symbol that ends all words. */
const SYMBOLS = 64;
const OTHER = 0;
const SYMBOL_OF = symbolTable();

function symbolTable(): Uint8Array {
  const table = new Uint8Array(256);
  const known = 'abcdefghijklmnopqrstuvwxyz0123456789 _-./:\'"`[](){}=<>#@!,;*&';
  for (let index = 0; index < known.length; index += 1) table[known.charCodeAt(index)] = index + 1;
  for (let code = 65; code <= 90; code += 1) table[code] = table[code + 32] as number;
  return table;
}

export class NeedleScan {
  readonly #next: Int32Array;
  /** Per node: the owners of the words that end there, as one list id; 0 is none. */
  readonly #ends: Int32Array;
  readonly #lists: readonly (readonly number[])[];

  constructor(words: readonly (readonly [word: string, owner: number])[]) {
    const next: number[][] = [blank()];
    const ends: Set<number>[] = [new Set()];
    for (const [word, owner] of words) {
      let node = 0;
      for (let index = 0; index < word.length; index += 1) {
        const symbol = SYMBOL_OF[word.charCodeAt(index)] ?? OTHER;
        const row = next[node] as number[];
        if (row[symbol] === -1) {
          row[symbol] = next.length;
          next.push(blank());
          ends.push(new Set());
        }
        node = row[symbol] as number;
      }
      ends[node]?.add(owner);
    }
    link(next, ends);
    this.#next = new Int32Array(next.length * SYMBOLS);
    for (const [node, row] of next.entries()) this.#next.set(row, node * SYMBOLS);
    this.#ends = new Int32Array(next.length);
    const lists: number[][] = [[]];
    for (const [node, owners] of ends.entries())
      if (owners.size > 0) {
        this.#ends[node] = lists.length;
        lists.push([...owners]);
      }
    this.#lists = lists;
  }

  has(text: string): boolean {
    let node = 0;
    for (let index = 0; index < text.length; index += 1) {
      const code = text.charCodeAt(index);
      node = this.#next[node * SYMBOLS + (code < 256 ? (SYMBOL_OF[code] as number) : OTHER)] as number;
      if (this.#ends[node] !== 0) return true;
    }
    return false;
  }

  owners(text: string): ReadonlySet<number> {
    const found = new Set<number>();
    let node = 0;
    for (let index = 0; index < text.length; index += 1) {
      const code = text.charCodeAt(index);
      node = this.#next[node * SYMBOLS + (code < 256 ? (SYMBOL_OF[code] as number) : OTHER)] as number;
      const list = this.#ends[node] as number;
      if (list !== 0) for (const owner of this.#lists[list] as readonly number[]) found.add(owner);
    }
    return found;
  }
}

function blank(): number[] {
  return Array.from({ length: SYMBOLS }, () => -1);
}

/** Failure links, breadth first; afterwards every step is one table look-up. */
function link(next: number[][], ends: Set<number>[]): void {
  const fail = new Int32Array(next.length);
  const queue: number[] = [];
  const root = next[0] as number[];
  for (let symbol = 0; symbol < SYMBOLS; symbol += 1) {
    if (root[symbol] === -1) root[symbol] = 0;
    else queue.push(root[symbol] as number);
  }
  for (let at = 0; at < queue.length; at += 1) {
    const node = queue[at] as number;
    const row = next[node] as number[];
    const back = next[fail[node] as number] as number[];
    for (const owner of ends[fail[node] as number] ?? []) ends[node]?.add(owner);
    for (let symbol = 0; symbol < SYMBOLS; symbol += 1) {
      const child = row[symbol] as number;
      if (child === -1) row[symbol] = back[symbol] as number;
      else {
        fail[child] = back[symbol] as number;
        queue.push(child);
      }
    }
  }
}
