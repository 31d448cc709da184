/** `readLines`: turns any text into a bounded list of numbered lines: head, tail, and what looks like a failure in between. */
import { type CleanLine, cleanLine } from './clean-line.ts';
import { inLines } from '../../text/in-lines.ts';
import { escapedLines } from './escaped-lines.ts';
import { EVIDENCE_CHARS, HEAD_LINES, MIDDLE_LINES, TAIL_LINES, WIDE_CHARS, WIDE_LINES } from './limits.ts';
import { withoutJobNames } from './job-prefix.ts';

export interface Line extends CleanLine {
  /** 1-based. */
  readonly number: number;
  /** Verbatim, cut to the evidence limit. */
  readonly raw: string;
}

interface RawLine {
  readonly number: number;
  readonly raw: string;
}

/** Words that a line must have to be worth keeping from the middle of a flood. */
const NOTABLE = inLines('i')`
  err|fail|fatal|panic|denied|refused|exception|traceback|conflict|cannot|can't|could not|unable|killed|timed out|timeout|limit|not ok|
  not found|no such|abort|assert`;
const MARKS = /^\s{0,20}[✗✕×✖✘●]/;
/** Failures say so early in the line. */
const NOTABLE_CHARS = 400;
/** A notable line and the detail below it. */
const KEPT_TOGETHER = 3;
/** A redrawn line (progress bar) shows this many of its last states. */
const DRAWINGS = 40;

export function isNotable(raw: string): boolean {
  const start = raw.length > NOTABLE_CHARS ? raw.slice(0, NOTABLE_CHARS) : raw;
  return NOTABLE.test(start) || MARKS.test(start);
}

export class LineSieve {
  readonly #head: RawLine[] = [];
  readonly #middle: RawLine[] = [];
  #tail: RawLine[] = [];
  #number = 0;
  #keepAfter = 0;
  #rest = '';

  /** Text as it arrives; lines may be cut anywhere. */
  push(chunk: string): void {
    let start = 0;
    for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', start)) {
      this.#add(this.#rest === '' ? chunk.slice(start, end) : this.#rest + chunk.slice(start, end));
      this.#rest = '';
      start = end + 1;
    }
    // Of an endless line only the start can ever be shown.
    const limit = this.#number < WIDE_LINES ? WIDE_CHARS : EVIDENCE_CHARS;
    if (this.#rest.length < limit) this.#rest += chunk.slice(start, start + limit);
  }

  /** Whole lines so far. */
  get count(): number {
    return this.#number;
  }

  /** Everything was pushed. */
  lines(): readonly Line[] {
    if (this.#rest !== '') {
      this.#add(this.#rest);
      this.#rest = '';
    }
    const kept = [...this.#head, ...this.#middle, ...this.#tail.slice(-TAIL_LINES)];
    const mayBeEscaped = this.#number <= WIDE_LINES;
    const lines = kept.flatMap((line) => (mayBeEscaped ? unescaped(line) : null) ?? asPrinted(line));
    return withoutJobNames(lines);
  }

  #add(whole: string): void {
    this.#number += 1;
    const limit = this.#number <= WIDE_LINES ? WIDE_CHARS : EVIDENCE_CHARS;
    const raw = whole.length > limit ? whole.slice(0, limit) : whole;
    const line = { number: this.#number, raw };
    if (this.#head.length < HEAD_LINES) {
      this.#head.push(line);
      return;
    }
    this.#tail.push(line);
    if (this.#tail.length >= TAIL_LINES * 2) this.#spill();
  }

  /** What leaves the tail stays only if it looks like a failure. */
  #spill(): void {
    const leaving = this.#tail.slice(0, TAIL_LINES);
    this.#tail = this.#tail.slice(TAIL_LINES);
    for (const line of leaving) {
      if (this.#middle.length >= MIDDLE_LINES) return;
      if (isNotable(line.raw)) this.#keepAfter = KEPT_TOGETHER;
      if (this.#keepAfter > 0) {
        this.#middle.push({ number: line.number, raw: copied(line.raw) });
        this.#keepAfter -= 1;
      }
    }
  }
}

/** The lines inside a line that is a tool result or an escaped log; null for any other line. */
function unescaped({ number, raw }: RawLine): readonly Line[] | null {
  const pieces = escapedLines(raw)?.flatMap((piece) =>
    drawings(piece.decoded).map((drawn) => ({ number, raw: cut(piece.raw), ...cleanLine(drawn) })),
  );
  return pieces ?? null;
}

function asPrinted({ number, raw }: RawLine): readonly Line[] {
  return drawings(cut(raw)).map((drawn) => ({ number, raw: drawn, ...cleanLine(drawn) }));
}

function cut(raw: string): string {
  return raw.length > EVIDENCE_CHARS ? raw.slice(0, EVIDENCE_CHARS) : raw;
}

/** A slice holds its whole chunk in memory; a copy does not. */
function copied(text: string): string {
  return text.split('').join('');
}

/** Carriage returns redraw a line: each drawing counts, the line number does not move. */
function drawings(raw: string): readonly string[] {
  if (!raw.includes('\r')) return [raw];
  const parts = raw.split('\r').filter((part, at, all) => part !== '' && part !== all[at - 1]);
  return parts.length === 0 ? [''] : parts.slice(-DRAWINGS);
}

export function readLines(output: string): readonly Line[] {
  const sieve = new LineSieve();
  sieve.push(output);
  return sieve.lines();
}
