/** Turns any text into a bounded list of lines with their numbers: head, tail, and what looks like a failure in between. */
import { cleanLine } from './clean-line.ts';
import { EVIDENCE_CHARS, HEAD_LINES, MIDDLE_LINES, TAIL_LINES } from './limits.ts';

export interface Line {
  /** 1-based. */
  readonly number: number;
  /** Verbatim, cut to the evidence limit. */
  readonly raw: string;
  /** As a terminal shows it, trimmed, whitespace collapsed. */
  readonly text: string;
  readonly indent: number;
}

/** Words that a line must have to be worth keeping from the middle of a flood. */
const NOTABLE =
  /err|fail|fatal|panic|denied|refused|exception|traceback|conflict|cannot|can't|could not|unable|killed|timed out|timeout|limit|not ok|not found|no such|abort|assert|[✗✕×✖✘●]/i;

export function isNotable(raw: string): boolean {
  return NOTABLE.test(raw.length > 400 ? raw.slice(0, 400) : raw);
}

/** Carriage returns redraw a line: each drawing counts, the line number does not move. */
function* drawings(raw: string): Generator<string> {
  if (!raw.includes('\r')) {
    yield raw;
    return;
  }
  let previous = '';
  for (const part of raw.split('\r')) {
    if (part === '' || part === previous) continue;
    previous = part;
    yield part;
  }
}

export class LineSieve {
  readonly #head: Line[] = [];
  readonly #middle: Line[] = [];
  #tail: Line[] = [];
  #number = 0;
  #keepAfter = 0;

  /** One line without its line feed. */
  add(raw: string): void {
    this.#number += 1;
    for (const drawing of drawings(raw)) this.#keep(drawing);
  }

  lines(): readonly Line[] {
    const tail = this.#tail.slice(-TAIL_LINES);
    return [...this.#head, ...this.#middle, ...tail];
  }

  get count(): number {
    return this.#number;
  }

  #keep(raw: string): void {
    const cut = raw.length > EVIDENCE_CHARS ? raw.slice(0, EVIDENCE_CHARS) : raw;
    const line = { number: this.#number, raw: cut, ...cleanLine(cut) };
    if (this.#head.length < HEAD_LINES) {
      this.#head.push(line);
      return;
    }
    this.#tail.push(line);
    if (this.#tail.length >= TAIL_LINES * 2) this.#spill();
  }

  /** What leaves the tail stays only if it looks like a failure, with the two lines after it (the detail). */
  #spill(): void {
    const leaving = this.#tail.slice(0, TAIL_LINES);
    this.#tail = this.#tail.slice(TAIL_LINES);
    for (const line of leaving) {
      if (this.#middle.length >= MIDDLE_LINES) return;
      if (isNotable(line.raw)) this.#keepAfter = 3;
      if (this.#keepAfter > 0) {
        this.#middle.push(line);
        this.#keepAfter -= 1;
      }
    }
  }
}

export function readLines(output: string): readonly Line[] {
  const sieve = new LineSieve();
  let start = 0;
  while (start <= output.length) {
    const end = output.indexOf('\n', start);
    const stop = end === -1 ? output.length : end;
    if (end === -1 && start === output.length) break;
    sieve.add(output.slice(start, output[stop - 1] === '\r' && stop > start ? stop - 1 : stop));
    if (end === -1) break;
    start = end + 1;
  }
  return sieve.lines();
}
