/**
 * `fileLines`, `linesFrom`: a file line by line from any offset, in bounded memory: session files are large, growing, and sometimes not
 * text.
 */
import { closeSync, fstatSync, readSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { openPlainFile } from '../../platform/file/plain-file.ts';

/** A larger piece would be a large object, which lies in memory until the next full collection. */
const CHUNK_BYTES = 64 << 10;
/** Agents write a whole tool result into one line; beyond this it is cut and will not parse. */
const LINE_CHARS = 16 << 20;

export interface LinesRead {
  readonly lines: readonly string[];
  /** Where the next read goes on: after the last complete line. */
  readonly offset: number;
}

/** No line that begins after `maxBytes`. */
export function* fileLines(path: string, maxBytes = Infinity): Generator<string> {
  let offset = 0;
  for (;;) {
    const { lines, offset: next } = linesFrom(path, offset, CHUNK_BYTES);
    yield* lines;
    if (next === offset || next > maxBytes) break;
    offset = next;
  }
  // What follows the last newline: a line cut off by a crash, and often the most telling one.
  const rest = tail(path, offset);
  if (rest !== '') yield rest;
}

/** Complete lines from `offset`, about `bytes` of them; the same offset back means there is none yet. */
export function linesFrom(path: string, offset: number, bytes: number): LinesRead {
  const file = openPlainFile(path, { follow: true });
  try {
    const size = fstatSync(file).size;
    for (let wanted = bytes; ; wanted *= 4) {
      const buffer = Buffer.alloc(Math.max(0, Math.min(wanted, size - offset)));
      const read = readSync(file, buffer, 0, buffer.length, offset);
      const end = buffer.subarray(0, read).lastIndexOf(10) + 1;
      if (end > 0) {
        const lines = buffer
          .subarray(0, end - 1)
          .toString('utf8')
          .split('\n');
        return { lines, offset: offset + end };
      }
      if (offset + read >= size) return { lines: [], offset };
      if (wanted >= LINE_CHARS) return { lines: [], offset: offset + read };
    }
  } finally {
    closeSync(file);
  }
}

function tail(path: string, offset: number): string {
  const file = openPlainFile(path, { follow: true });
  try {
    const size = Math.min(fstatSync(file).size - offset, LINE_CHARS);
    if (size <= 0) return '';
    const buffer = Buffer.alloc(size);
    const read = readSync(file, buffer, 0, size, offset);
    return new StringDecoder('utf8').write(buffer.subarray(0, read));
  } finally {
    closeSync(file);
  }
}
