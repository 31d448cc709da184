/**
 * `AttemptOutput`: reads everything that an attempt writes (spools and hook files) as transcript entries, with the agent's adapter: piece
 * by piece, so that memory stays flat however much is written. It remembers when the agent last wrote, and what is unfinished.
 */
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { LineStream, TranscriptReader } from '../../agents/adapter.ts';
import type { OpenText } from '../../core/detect/tick.ts';
import type { TranscriptEntry } from '../../core/vocabulary/transcript.ts';
import { spoolPaths } from '../../platform/container/attempt-files.ts';
import { Tail, type TailPosition } from '../../platform/file/tail.ts';
import { preferSmallHeap } from '../../platform/process/prefer-small-heap.ts';

/** When reading is behind by more than this, old output is skipped and the transcript says so: what happens now matters more. */
const BACKLOG_BYTES = 32 * 1024 * 1024;
/** A flood of output must not keep the watch from its other looks. */
const READ_SLICE_MS = 250;
/** Where most is skipped anyway, longer reading tells little more, and takes the processor from the agent that writes. */
const FLOOD_SLICE_MS = 50;

interface Source {
  readonly stream: LineStream;
  readonly path: string;
  readonly tail: Tail;
}

interface Options {
  readonly directory: string;
  readonly reader: TranscriptReader;
  readonly hookFiles: readonly string[];
  readonly positions: Readonly<Record<string, TailPosition>>;
  readonly now: () => number;
}

export class AttemptOutput {
  readonly #reader: TranscriptReader;
  readonly #sources: readonly Source[];
  readonly #now: () => number;
  lastOutputAt: number;
  /** An unfinished last line: where a prompt would stand. */
  lastLine = '';

  constructor({ directory, reader, hookFiles, positions, now }: Options) {
    const { stdout, stderr } = spoolPaths(directory);
    this.#reader = reader;
    this.#now = now;
    this.lastOutputAt = now();
    const source = (stream: LineStream, path: string): Source => {
      const position = positions[path];
      const from = position === undefined ? {} : { position };
      return { stream, path, tail: new Tail(path, { backlogBytes: BACKLOG_BYTES, ...from }) };
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

  /** When the last piece of an unfinished message came; null when none ever did. */
  get partialAt(): number | null {
    return this.#reader.partialAt ?? null;
  }

  get openText(): OpenText | null {
    return this.#reader.openText ?? null;
  }

  /** Reads for a limited time, and gives the entries of each piece to `take`. True once everything was read. */
  async read(final: boolean, take: (entries: readonly TranscriptEntry[]) => Promise<void>): Promise<boolean> {
    const begun = performance.now();
    let sliceMs = READ_SLICE_MS;
    for (;;) {
      const at = this.#now();
      const { entries, skippedBytes, atEnd } = await this.#piece(at, final);
      if (skippedBytes > 0) sliceMs = FLOOD_SLICE_MS;
      await take(skippedBytes > 0 ? [gap(skippedBytes, at), ...entries] : entries);
      if (atEnd) return true;
      if (performance.now() - begun > sliceMs) return false;
      await yieldToOthers();
    }
  }

  async #piece(at: number, final: boolean) {
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
    if (grew || lastLine !== this.lastLine) this.lastOutputAt = at;
    this.lastLine = lastLine;
    if (final && atEnd) entries.push(...this.#reader.end(at));
    return { entries, skippedBytes, atEnd };
  }

  async close(): Promise<void> {
    await Promise.all(this.#sources.map(({ tail }) => tail.close()));
  }
}

function gap(bytes: number, at: number): TranscriptEntry {
  const raw = `[${bytes} bytes of output skipped: written faster than they could be read]`;
  return { type: 'unknown', at, raw };
}
