/**
 * `PlainReader`: reads what a program started as a plain command prints. A known agent's event stream is recognised by its shape and read
 * as what it is; a log of shell commands gives calls with results; every other line is kept as output.
 */
import type { TranscriptEntry } from '../core/vocabulary/transcript.ts';
import type { LineStream, TranscriptReader } from './adapter.ts';
import { ShellLog } from './shell-log.ts';
import { streamShapeOf } from './stream-shape.ts';

export class PlainReader implements TranscriptReader {
  readonly #log = new ShellLog();
  readonly #earlier: Iterable<TranscriptEntry>;
  #known: TranscriptReader | null = null;

  constructor(earlier: Iterable<TranscriptEntry> = []) {
    this.#earlier = earlier;
  }

  get partialAt(): number | null {
    return this.#known?.partialAt ?? null;
  }

  push(line: string, stream: LineStream, at: number): readonly TranscriptEntry[] {
    if (stream !== 'stdout') return [{ at, type: 'output', stream: 'stderr', text: line }];
    this.#known ??= streamShapeOf(line)?.reader(this.#earlier) ?? null;
    // A program may print words of its own between the events of the agent that it runs.
    if (this.#known !== null && line.startsWith('{')) return this.#known.push(line, stream, at);
    const output: TranscriptEntry = { at, type: 'output', stream, text: line };
    return this.#known === null ? [...this.#log.push(line, at), output] : [output];
  }

  end(at: number): readonly TranscriptEntry[] {
    return this.#known === null ? this.#log.end(at) : this.#known.end(at);
  }
}
