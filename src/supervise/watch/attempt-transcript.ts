/** `AttemptTranscript`: stores the transcript of an attempt and how far its output was read. A keeper that adopts the run goes on there. */
import { closeSync, constants, fstatSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { TranscriptEntry } from '../../core/vocabulary/transcript.ts';
import { readState } from '../../platform/file/plain-file.ts';
import type { TailPosition } from '../../platform/file/tail.ts';
import { readTranscript } from '../../record/transcript/read-transcript.ts';
import type { Redactor } from '../../record/redaction/redact.ts';
import { TranscriptWriter } from '../../record/transcript/transcript.ts';

/** Enough to warm the detectors up after an adoption. */
const EARLIER_ENTRIES = 2_000;
const POSITIONS_FILE = 'read-positions.json';
/** One entry per file that is tailed. */
const MAX_POSITIONS_BYTES = 256 * 1024;

const Count = z.int().nonnegative();
const Noted = z.record(z.string(), z.object({ offset: Count, midLine: z.boolean(), epoch: Count }));

export type Positions = Readonly<Record<string, TailPosition>>;

export class AttemptTranscript {
  readonly #writer: TranscriptWriter;
  readonly #positionsFile: string;
  #noted: number | null = null;
  readonly positions: Positions;
  readonly earlier: readonly TranscriptEntry[];

  private constructor(
    writer: TranscriptWriter,
    positionsFile: string,
    positions: Positions,
    earlier: readonly TranscriptEntry[],
  ) {
    this.#writer = writer;
    this.#positionsFile = positionsFile;
    this.positions = positions;
    this.earlier = earlier;
  }

  static async open(path: string, attemptDir: string, redactor: Redactor): Promise<AttemptTranscript> {
    const positionsFile = join(attemptDir, POSITIONS_FILE);
    const positions = readPositions(positionsFile);
    const earlier: TranscriptEntry[] = [];
    if (Object.keys(positions).length > 0) {
      for await (const { entry } of readTranscript(path)) {
        earlier.push(entry);
        if (earlier.length > 2 * EARLIER_ENTRIES) earlier.splice(0, EARLIER_ENTRIES);
      }
    }
    const writer = await TranscriptWriter.open(path, { redactor });
    return new AttemptTranscript(writer, positionsFile, positions, earlier);
  }

  /** Stores the entries redacted, and notes how far the output was read. */
  async append(entries: readonly TranscriptEntry[], positions: Positions): Promise<void> {
    if (entries.length === 0) return;
    await this.#writer.append(entries);
    this.#note(JSON.stringify(positions));
  }

  /** In place, filled up with blanks where a longer text stood: a file that is emptied and closed goes to disk each time. */
  #note(text: string): void {
    this.#noted ??= openSync(this.#positionsFile, constants.O_WRONLY | constants.O_CREAT, 0o600);
    writeSync(this.#noted, text.padEnd(fstatSync(this.#noted).size), 0);
  }

  async close(): Promise<void> {
    if (this.#noted !== null) closeSync(this.#noted);
    await this.#writer.close();
  }
}

function readPositions(path: string): Positions {
  // Without a note, or with one that a crash tore or the agent wrote, the spool is read from its beginning.
  return readState(Noted, path, MAX_POSITIONS_BYTES) ?? {};
}
