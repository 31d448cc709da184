/** `AttemptOutput`: reads everything that an attempt writes (spools and hook files) as transcript entries, with the agent's adapter. */
import type { LineStream, TranscriptReader } from '../../agents/adapter.ts';
import type { OpenText } from '../../core/detect/tick.ts';
import type { TranscriptEntry } from '../../core/vocabulary/transcript.ts';
import { spoolPaths } from '../../platform/container/attempt-files.ts';
import { Tail, type TailPosition } from '../../platform/file/tail.ts';
import { preferSmallHeap } from '../../platform/process/prefer-small-heap.ts';

/** When reading is behind by more than this, old output is skipped and the transcript says so: what happens now matters more. */
const BACKLOG_BYTES = 32 * 1024 * 1024;

interface Source {
  readonly stream: LineStream;
  readonly path: string;
  readonly tail: Tail;
}

export interface OutputRead {
  readonly entries: readonly TranscriptEntry[];
  /** Anything at all was written since the last look. */
  readonly grew: boolean;
  readonly partialAt: number | null;
  readonly openText: OpenText | null;
  readonly skippedBytes: number;
  readonly atEnd: boolean;
  /** An unfinished last line: where a prompt would stand. */
  readonly lastLine: string;
}

export class AttemptOutput {
  readonly #reader: TranscriptReader;
  readonly #sources: readonly Source[];
  #lastLine = '';

  constructor(
    directory: string,
    reader: TranscriptReader,
    hookFiles: readonly string[],
    positions: Readonly<Record<string, TailPosition>>,
  ) {
    const { stdout, stderr } = spoolPaths(directory);
    this.#reader = reader;
    const source = (stream: LineStream, path: string): Source => {
      const position = positions[path];
      return {
        stream,
        path,
        tail: new Tail(path, {
          backlogBytes: BACKLOG_BYTES,
          ...(position === undefined ? {} : { position }),
        }),
      };
    };
    // Hooks first: the exact duration of a tool must be known when its result is read.
    this.#sources = [
      ...hookFiles.map((file) => source('hook', file)),
      source('stdout', stdout),
      source('stderr', stderr),
    ];
  }

  /** How far each file was read. */
  get positions(): Readonly<Record<string, TailPosition>> {
    return Object.fromEntries(this.#sources.map(({ path, tail }) => [path, tail.position]));
  }

  /** Reads one bounded piece of each file, so that memory stays flat however much is written. Call again until `atEnd`. */
  async read(at: number, final: boolean): Promise<OutputRead> {
    const entries: TranscriptEntry[] = [];
    let skippedBytes = 0;
    let grew = false;
    let atEnd = true;
    let lastLine = '';
    for (const { stream, tail } of this.#sources) {
      const before = tail.position.offset;
      const read = await tail.read({ final });
      skippedBytes += read.gapBytes;
      for (const line of read.lines) entries.push(...this.#reader.push(line.text, stream, at));
      if (stream === 'stdout') lastLine = read.pending;
      atEnd &&= read.atEnd;
      grew ||= tail.position.offset !== before;
      await tail.trim();
    }
    // A flood: more came than one piece holds.
    if (!atEnd) preferSmallHeap();
    grew ||= lastLine !== this.#lastLine;
    this.#lastLine = lastLine;
    if (final && atEnd) entries.push(...this.#reader.end(at));
    const { partialAt = null, openText = null } = this.#reader;
    return { entries, grew, partialAt, openText, skippedBytes, atEnd, lastLine };
  }

  async close(): Promise<void> {
    await Promise.all(this.#sources.map(({ tail }) => tail.close()));
  }
}
