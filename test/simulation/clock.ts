/** Virtual time: what is scheduled happens in order of time, then of scheduling. */
interface Entry {
  readonly at: number;
  readonly order: number;
  readonly act: () => void;
}

export class Clock {
  now = 1_000_000;
  #order = 0;
  readonly #heap: Entry[] = [];

  in(delayMs: number, act: () => void): void {
    this.at(this.now + Math.max(0, delayMs), act);
  }

  at(at: number, act: () => void): void {
    this.#order += 1;
    const entry = { at: Math.max(at, this.now), order: this.#order, act };
    const heap = this.#heap;
    let index = heap.length;
    heap.push(entry);
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!before(entry, heap[parent] as Entry)) break;
      heap[index] = heap[parent] as Entry;
      index = parent;
    }
    heap[index] = entry;
  }

  /** False when nothing is left to happen. */
  next(): boolean {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined) return false;
    if (heap.length > 0) sink(heap, last);
    this.now = first.at;
    first.act();
    return true;
  }
}

function sink(heap: Entry[], entry: Entry): void {
  let index = 0;
  for (;;) {
    let child = 2 * index + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && before(heap[child + 1] as Entry, heap[child] as Entry)) child += 1;
    if (!before(heap[child] as Entry, entry)) break;
    heap[index] = heap[child] as Entry;
    index = child;
  }
  heap[index] = entry;
}

function before(a: Entry, b: Entry): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}
