/**
 * `readNamed`, `namedChunks`, `namedFileTime`, `bounded`: read what a person names: a file, or a pipe that something writes to
 * (`<(command)`). They end in bounded time and memory on a pipe without a writer, an endless device, a sparse file and an endless stream.
 */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { usageError } from '../mayday-error.ts';
import { codeOf } from './file-kind.ts';

/** More than any log that one diagnosis can use, and read within seconds. */
export const MAX_INPUT_BYTES = 1024 ** 3;
/** Of one line among many (`--jsonl`). */
export const MAX_LINE_BYTES = 256 * 1024 ** 2;
const CHUNK_BYTES = 256 * 1024;
const PAUSE_MS = 20;
/** What writes to a named pipe may open it a moment later. */
const NO_WRITER_MS = 3_000;
/** A wait this long is told. */
const TOLD_MS = 2_000;

/** The whole text. */
export function readNamed(path: string, maxBytes: number, codes: Codes): string {
  return Buffer.concat([...namedChunks(path, { maxBytes, ...codes })]).toString('utf8');
}

/** Of the errors: there is no such file, it is too large, or it is no file. */
interface Codes {
  readonly absent?: string;
  readonly large?: string;
  readonly wrong?: string;
}

interface NamedOptions extends Codes {
  readonly maxBytes: number;
  /** Called once where a pipe keeps the reader waiting. */
  readonly onWait?: () => void;
}

export function* namedChunks(path: string, options: NamedOptions): Generator<Buffer> {
  const { maxBytes } = options;
  const { file, isPipe } = openNamed(path, options);
  try {
    let total = 0;
    for (;;) {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      const read = readAvailable(file, chunk, total === 0 && isPipe, options);
      if (read === 0 && total === 0 && isPipe)
        throw unreadable(options.wrong, path, 'nothing writes to this pipe');
      if (read === 0) return;
      total += read;
      if (total > maxBytes) throw tooLarge(path, options);
      yield chunk.subarray(0, read);
    }
  } finally {
    closeSync(file);
  }
}

/** Refuses what is not a regular file of at most `maxBytes`; returns when it was written. */
export function namedFileTime(path: string, options: NamedOptions): number {
  const { file, isPipe, mtimeMs } = openNamed(path, options);
  closeSync(file);
  if (isPipe) throw unreadable(options.wrong, path, 'it is a pipe, which can be read only once');
  return mtimeMs;
}

function openNamed(path: string, options: NamedOptions) {
  const { maxBytes, wrong, absent = wrong } = options;
  let file: number;
  try {
    // Opening a pipe must not wait for its writer.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') throw unreadable(absent, path, 'there is no file of that name');
    throw unreadable(wrong, path, `the system says ${codeOf(error)}`);
  }
  const facts = fstatSync(file);
  const isPipe = facts.isFIFO();
  if ((facts.isFile() || isPipe) && facts.size <= maxBytes) return { file, isPipe, mtimeMs: facts.mtimeMs };
  closeSync(file);
  if (facts.isFile()) throw tooLarge(path, options);
  const kind = facts.isDirectory() ? 'a directory' : 'a device or a socket';
  throw unreadable(wrong, path, `it is ${kind}, not a file`);
}

/** A pipe with a writer is waited for as long as it takes, one without (`isNew`: nothing came yet) for a moment. */
function readAvailable(file: number, chunk: Buffer, isNew: boolean, { onWait }: NamedOptions): number {
  for (let waitedMs = 0; ; waitedMs += PAUSE_MS) {
    try {
      const read = readSync(file, chunk);
      if (read > 0 || !isNew || waitedMs >= NO_WRITER_MS) return read;
    } catch (error) {
      if (codeOf(error) !== 'EAGAIN') throw error;
    }
    if (waitedMs === TOLD_MS) onWait?.();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
  }
}

/** The same bytes, and an error where there are more than `maxBytes` of them; with `perLine` in one line. */
export async function* bounded(
  input: Iterable<Buffer> | AsyncIterable<Buffer>,
  { maxBytes, perLine = false }: { readonly maxBytes: number; readonly perLine?: boolean },
): AsyncGenerator<Buffer> {
  let count = 0;
  for await (const chunk of input) {
    const newline = perLine ? chunk.lastIndexOf(10) : -1;
    count = newline === -1 ? count + chunk.length : chunk.length - newline - 1;
    if (count > maxBytes) throw tooLarge(perLine ? 'a line of the input' : 'the input', { maxBytes });
    yield chunk;
  }
}

function unreadable(code: string | undefined, path: string, why: string) {
  return usageError(code ?? 'INPUT_UNREADABLE', `cannot read ${JSON.stringify(path)}`, [
    ['happened', why],
    ['did', 'nothing was read'],
    ['do', 'name a regular file, or a pipe that something writes to'],
  ]);
}

function tooLarge(what: string, { maxBytes, large = 'INPUT_TOO_LARGE' }: NamedOptions) {
  return usageError(large, `${what} is too large to be read`, [
    ['happened', `it has more than ${maxBytes} bytes, or no end`],
    ['did', 'stopped reading there; nothing was made of it'],
    ['do', 'give the part that matters, for example: tail -c 100M FILE'],
  ]);
}
