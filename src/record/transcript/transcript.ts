/**
 * `TranscriptWriter`: writes the transcript of one attempt: JSON lines, append-only, redacted, with an index file beside it. One writer at
 * a time.
 */
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { TranscriptEntry } from '../../core/vocabulary/transcript.ts';
import { storageError } from '../../platform/storage-error.ts';
import { readTranscriptFrom } from './read-transcript.ts';
import type { Redactor } from '../redaction/redact.ts';
import { advanced, indexPath, lastMark, TRANSCRIPT_START, type TranscriptMark } from './transcript-index.ts';

/** One attempt may not fill the disk; what people read of a transcript is its end and its counts. */
const DEFAULT_CAP_BYTES = 64 * 1024 * 1024;
/** Longer texts are cut, with a note: a transcript is for reading, the raw spool holds the rest for a while. */
const MAX_TEXT_CHARS = 64 * 1024;
/** A seek then reads at most this many entries too many. */
const MARK_EVERY = 256;
const NEW_LINE = 0x0a;

export interface Appended {
  readonly stored: number;
  /** Entries that were not stored because the transcript is full. */
  readonly dropped: number;
}

export class TranscriptWriter {
  readonly #path: string;
  readonly #file: FileHandle;
  readonly #index: FileHandle;
  readonly #capBytes: number;
  readonly #redactor: Redactor;
  #mark: TranscriptMark;
  #marked: number;
  #full = false;
  #queue: Promise<unknown> = Promise.resolve();

  private constructor(
    files: { path: string; file: FileHandle; index: FileHandle },
    options: { redactor: Redactor; capBytes?: number | undefined },
    mark: TranscriptMark,
  ) {
    this.#path = files.path;
    this.#file = files.file;
    this.#index = files.index;
    this.#redactor = options.redactor;
    this.#capBytes = options.capBytes ?? DEFAULT_CAP_BYTES;
    this.#mark = mark;
    this.#marked = mark.entries;
  }

  /** Opens a new transcript, or goes on with one whose writer died: a torn last line is closed and stays. */
  static async open(
    path: string,
    options: { redactor: Redactor; capBytes?: number },
  ): Promise<TranscriptWriter> {
    try {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const file = await open(path, 'a+', 0o600);
      const index = await open(indexPath(path), 'a', 0o600);
      await closeTornLine(file);
      return new TranscriptWriter({ path, file, index }, options, await endOf(path));
    } catch (error) {
      throw storageError(error, path);
    }
  }

  /** True once an entry was dropped. */
  get full(): boolean {
    return this.#full;
  }

  append(entries: readonly TranscriptEntry[]): Promise<Appended> {
    const result = this.#queue.then(() => this.#append(entries));
    this.#queue = result.catch(() => undefined);
    return result;
  }

  async close(): Promise<void> {
    await this.#queue;
    if (this.#mark.entries > this.#marked) await this.#writeMark();
    await this.#file.close();
    await this.#index.close();
  }

  async #append(entries: readonly TranscriptEntry[]): Promise<Appended> {
    let text = '';
    let mark = this.#mark;
    let stored = 0;
    for (const entry of entries) {
      const line = `${JSON.stringify(bounded(this.#redactor.redactDeep(entry)))}\n`;
      const end = mark.offset + Buffer.byteLength(line);
      // Once full, it stays full: a small entry after a gap would look like the next one.
      this.#full ||= end > this.#capBytes;
      if (this.#full) break;
      text += line;
      mark = advanced(mark, entry, end);
      stored += 1;
    }
    if (text !== '') await this.#write(text, mark);
    return { stored, dropped: entries.length - stored };
  }

  async #write(text: string, mark: TranscriptMark): Promise<void> {
    try {
      await this.#file.appendFile(text);
    } catch (error) {
      // A part may have been written: read back, so that only stored entries are counted.
      await closeTornLine(this.#file).catch(() => undefined);
      this.#mark = await endOf(this.#path);
      throw storageError(error, this.#path);
    }
    this.#mark = mark;
    if (mark.entries - this.#marked >= MARK_EVERY) await this.#writeMark();
  }

  async #writeMark(): Promise<void> {
    this.#marked = this.#mark.entries;
    // The index is only a short cut for readers: a failure to write it is ignored.
    await this.#index.appendFile(`${JSON.stringify(this.#mark)}\n`).catch(() => undefined);
  }
}

function bounded(entry: TranscriptEntry): TranscriptEntry {
  if (!Object.values(entry).some(isTooLong)) return entry;
  const cut = Object.entries(entry).map(([key, value]: [string, unknown]) =>
    isTooLong(value)
      ? [
          key,
          `${value.slice(0, MAX_TEXT_CHARS).toWellFormed()}… [${value.length - MAX_TEXT_CHARS} characters cut]`,
        ]
      : [key, value],
  );
  return Object.fromEntries(cut) as TranscriptEntry;
}

function isTooLong(value: unknown): value is string {
  return typeof value === 'string' && value.length > MAX_TEXT_CHARS;
}

async function closeTornLine(file: FileHandle): Promise<void> {
  const { size } = await file.stat();
  if (size === 0) return;
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  if (buffer[0] !== NEW_LINE) await file.appendFile('\n');
}

async function endOf(path: string): Promise<TranscriptMark> {
  let mark = await lastMark(path, () => true);
  for await (const { entry, end } of readTranscriptFrom(path, mark)) mark = advanced(mark, entry, end);
  return mark.entries === 0 ? TRANSCRIPT_START : mark;
}
