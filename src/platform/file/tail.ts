/** `Tail`: reads a growing file line by line, by bytes and with bounded memory. It keeps nothing between reads but the position. */
import { fstatSync, readSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { isNotPlain, openPlainHandle } from './plain-file.ts';
import { readSpoolMark, type SpoolMark, trimSpool } from '../container/spool-trim.ts';

/** The longest line that is given in one piece. A line of 700 MB would crash a reader that waits for its end. */
export const LINE_LIMIT_BYTES = 64 * 1024;

/** One read takes several lines of the longest kind, and hundreds of runs together still fit into memory. */
const READ_BYTES = 256 * 1024;
/** Without this limit a file of empty lines would become a quarter of a million objects per read. */
const LINES_PER_READ = 8_192;
/** A reader that is further behind than this jumps ahead: old output must not hide what happens now. */
const BACKLOG_BYTES = 256 * 1024 * 1024;
/** After a jump this much of the newest output is still read. */
const KEPT_AFTER_JUMP_BYTES = 4 * 1024 * 1024;
/**
 * How much output may be read and still use disk space before its blocks are freed. Freeing stops the writer for about a millisecond
 * per MB that is not yet on disk (measured on ext4: a stream trimmed every 64 MB ran at two thirds of its speed), so it is done only
 * for very much output. A keeper that sees the disk run low passes a smaller number.
 */
const TRIM_ABOVE_BYTES = 1024 * 1024 * 1024;
/** Enough to recognise a prompt that waits without a line end. */
const PENDING_BYTES = 4_096;
const NEWLINE = 10;
const RETURN = 13;

export interface TailLine {
  /** Invalid UTF-8 is replaced, NUL shown as a symbol; without its line end (LF or CRLF). */
  readonly text: string;
  readonly offset: number;
  readonly bytes: number;
  /** The rest of a line: its beginning was given before, or was lost in a gap. */
  readonly continues: boolean;
  /** More of the same line follows. */
  readonly continued: boolean;
}

/** Where to continue after a crash; store it as it is. */
export interface TailPosition {
  readonly offset: number;
  readonly midLine: boolean;
  readonly epoch: number;
}

export interface TailRead {
  readonly lines: readonly TailLine[];
  /** Bytes that were skipped before these lines, because of the backlog or because an earlier reader freed them. */
  readonly gapBytes: number;
  readonly atEnd: boolean;
  /** The last bytes of an unfinished line, e.g. a prompt; only at the end. */
  readonly pending: string;
}

export interface TailOptions {
  readonly position?: TailPosition;
  readonly backlogBytes?: number;
  readonly trimAboveBytes?: number;
}

export class Tail {
  readonly #path: string;
  readonly #backlogBytes: number;
  readonly #trimAboveBytes: number;
  readonly #buffer = Buffer.allocUnsafeSlow(READ_BYTES);
  #file: FileHandle | undefined;
  #mark: SpoolMark = { trimmedBytes: 0, epoch: 0 };
  #offset: number;
  #midLine: boolean;
  #epoch: number | undefined;
  #seenBytes = -1;
  #pending = '';

  constructor(path: string, options: TailOptions = {}) {
    this.#path = path;
    this.#backlogBytes = options.backlogBytes ?? BACKLOG_BYTES;
    this.#trimAboveBytes = options.trimAboveBytes ?? TRIM_ABOVE_BYTES;
    this.#offset = options.position?.offset ?? 0;
    this.#midLine = options.position?.midLine ?? false;
    this.#epoch = options.position?.epoch;
  }

  get position(): TailPosition {
    return { offset: this.#offset, midLine: this.#midLine, epoch: this.#epoch ?? 0 };
  }

  /** One bounded step; call again until `atEnd`. With `final`, an unfinished last line is given too. */
  async read(options: { readonly final?: boolean } = {}): Promise<TailRead> {
    const file = await this.#open();
    if (file === null) return { lines: [], gapBytes: 0, atEnd: true, pending: '' };
    const size = fstatSync(file.fd).size;
    if (size === this.#seenBytes && options.final !== true)
      return { lines: [], gapBytes: 0, atEnd: true, pending: this.#pending };
    const jumpedBytes = this.#skip(size);
    // What was just written is in memory: a hand-over to another thread and back would cost more than the copy.
    const bytesRead = readSync(file.fd, this.#buffer, 0, READ_BYTES, this.#offset);
    const reachesEnd = this.#offset + bytesRead >= size;
    const lines: TailLine[] = [];
    const from = this.#firstByte(bytesRead, jumpedBytes > 0);
    const used = this.#split(from, bytesRead, reachesEnd && options.final === true, lines);
    const gapBytes = jumpedBytes > 0 ? jumpedBytes + from : 0;
    this.#offset += used;
    const atEnd = reachesEnd && lines.length < LINES_PER_READ;
    this.#seenBytes = atEnd ? size : -1;
    const rest = this.#buffer.subarray(Math.max(used, bytesRead - PENDING_BYTES), bytesRead);
    this.#pending = atEnd ? decode(rest) : '';
    return { lines, gapBytes, atEnd, pending: this.#pending };
  }

  /** Frees the disk space of output that was read, once there is enough of it. Returns the bytes freed. */
  async trim(): Promise<number> {
    const file = this.#file;
    if (file === undefined || this.#offset - this.#mark.trimmedBytes < this.#trimAboveBytes) return 0;
    const before = this.#mark;
    const next = await trimSpool(this.#path, before, this.#offset, () => fstatSync(file.fd).size);
    this.#mark = next;
    if (next.epoch === before.epoch) return next.trimmedBytes - before.trimmedBytes;
    const freed = this.#offset;
    this.#offset = 0;
    this.#midLine = false;
    this.#epoch = next.epoch;
    this.#seenBytes = -1;
    return freed;
  }

  async close(): Promise<void> {
    await this.#file?.close();
    this.#file = undefined;
  }

  async #open(): Promise<FileHandle | null> {
    if (this.#file !== undefined) return this.#file;
    try {
      this.#file = await openPlainHandle(this.#path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT' || isNotPlain(error)) return null;
      throw error;
    }
    this.#mark = readSpoolMark(this.#path);
    if (this.#epoch !== undefined && this.#epoch !== this.#mark.epoch) {
      this.#offset = 0;
      this.#midLine = false;
    }
    this.#epoch = this.#mark.epoch;
    return this.#file;
  }

  #skip(size: number): number {
    const from = this.#offset;
    if (size < from) this.#offset = 0;
    else if (from < this.#mark.trimmedBytes) this.#offset = this.#mark.trimmedBytes;
    if (size - this.#offset > this.#backlogBytes)
      this.#offset = size - Math.min(KEPT_AFTER_JUMP_BYTES, this.#backlogBytes);
    if (this.#offset !== from) this.#midLine = this.#offset > 0;
    return Math.max(0, this.#offset - from);
  }

  /** After a gap, reading begins at a whole line if possible; only a line longer than the limit is read from its middle. */
  #firstByte(length: number, afterGap: boolean): number {
    const bytes = this.#buffer.subarray(0, length);
    if (!afterGap) return this.#offset === 0 && bytes.indexOf('\uFEFF') === 0 ? 3 : 0;
    const newline = bytes.subarray(0, LINE_LIMIT_BYTES).indexOf(NEWLINE);
    if (newline < 0) return 0;
    this.#midLine = false;
    return newline + 1;
  }

  /** Cuts the buffer into lines; returns how many bytes were used. The rest is read again together with what follows it. */
  #split(from: number, length: number, final: boolean, lines: TailLine[]): number {
    const bytes = this.#buffer.subarray(0, length);
    let start = from;
    while (start < length && lines.length < LINES_PER_READ) {
      const newline = bytes.indexOf(NEWLINE, start);
      const end = newline < 0 ? length : newline;
      const isLong = end - start > LINE_LIMIT_BYTES;
      if (newline < 0 && !isLong && !final) break;
      const cut = isLong ? characterStart(bytes, start + LINE_LIMIT_BYTES) : end;
      const continued = isLong;
      const textEnd = !continued && newline >= 0 && cut > start && bytes[cut - 1] === RETURN ? cut - 1 : cut;
      lines.push({
        text: decode(bytes.subarray(start, textEnd)),
        offset: this.#offset + start,
        bytes: cut - start,
        continues: this.#midLine,
        continued,
      });
      this.#midLine = continued;
      start = continued || newline < 0 ? cut : cut + 1;
    }
    return Math.min(start, length);
  }
}

/** The nearest place at or before `at` where a UTF-8 character begins; bytes that are no UTF-8 are cut where they stand. */
function characterStart(bytes: Buffer, at: number): number {
  for (let back = 0; back < 4; back++) if (((bytes[at - back] ?? 0) & 0xc0) !== 0x80) return at - back;
  return at;
}

function decode(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  return text.includes('\0') ? text.replaceAll('\0', '\u2400') : text;
}
