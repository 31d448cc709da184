/**
 * `readPlainFile`, `readPlainBytes`, `readPlainJson`, `readState`, `openPlainFile`, `openPlainHandle`: read a file that an agent can
 * write. A named pipe would block the reader for ever, a device would never end, a link would lead elsewhere. So they open only a regular
 * file, without waiting, and read no more than the given limit.
 */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { codeOf } from './file-kind.ts';

type NotRead = { readonly type: 'absent' } | { readonly type: 'refused'; readonly why: string };
export type PlainRead = NotRead | { readonly type: 'text'; readonly text: string };

/** `follow`: a link is followed, because a person may have made it. */
interface OpenOptions {
  readonly follow?: boolean;
}

export function readPlainFile(path: string, maxBytes: number, options: OpenOptions = {}): PlainRead {
  const read = readPlainBytes(path, maxBytes, options);
  return read.type === 'bytes' ? { type: 'text', text: read.bytes.toString('utf8') } : read;
}

export function readPlainBytes(
  path: string | Buffer,
  maxBytes: number,
  options: OpenOptions = {},
): NotRead | { readonly type: 'bytes'; readonly bytes: Buffer } {
  let file: number;
  try {
    file = openPlainFile(path, options);
  } catch (error) {
    return codeOf(error) === 'ENOENT' ? { type: 'absent' } : { type: 'refused', why: reasonOf(error) };
  }
  try {
    const bytes = Buffer.alloc(Math.min(fstatSync(file).size, maxBytes) + 1);
    let read = 0;
    for (let more = 1; more > 0 && read < bytes.length; read += more)
      more = readSync(file, bytes, read, bytes.length - read, read);
    if (read > maxBytes) return { type: 'refused', why: `larger than ${maxBytes} bytes` };
    return { type: 'bytes', bytes: bytes.subarray(0, read) };
  } catch (error) {
    return { type: 'refused', why: reasonOf(error) };
  } finally {
    closeSync(file);
  }
}

/** The JSON in the file, or null: absent, refused, torn by a crash. */
export function readPlainJson(path: string, maxBytes: number): unknown {
  const read = readPlainFile(path, maxBytes);
  if (read.type !== 'text') return null;
  try {
    return JSON.parse(read.text);
  } catch {
    return null;
  }
}

/** What the file holds, in the form that the schema tells; null: absent, refused, torn by a crash, or in another form. */
export function readState<T>(schema: Schema<T>, path: string, maxBytes = MAX_STATE_BYTES): T | null {
  const value = readPlainJson(path, maxBytes);
  if (value === null) return null;
  try {
    return schema.safeParse(value).data ?? null;
  } catch (error) {
    // As in safe-parse.ts, which this file does not use: most of its users need no schema, and so no zod.
    if (error instanceof TypeError) return null;
    throw error;
  }
}

interface Schema<T> {
  safeParse(value: unknown): { readonly data?: T | undefined };
}

/** The largest text that JavaScript can hold: the seal of a million files is shorter. */
const MAX_STATE_BYTES = 512 * 1024 * 1024;

export function openPlainFile(path: string | Buffer, options: OpenOptions = {}): number {
  const file = openSync(path, flags(options));
  if (fstatSync(file).isFile()) return file;
  closeSync(file);
  throw notPlain(path);
}

export async function openPlainHandle(path: string, options: OpenOptions = {}): Promise<FileHandle> {
  const file = await open(path, flags(options));
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw notPlain(path);
}

/** The path exists, but it is no regular file. */
export function isNotPlain(error: unknown): boolean {
  return codeOf(error) === NOT_PLAIN || codeOf(error) === 'ELOOP' || codeOf(error) === 'ENXIO';
}

const NOT_PLAIN = 'NOT_A_REGULAR_FILE';

function flags({ follow = false }: OpenOptions): number {
  return constants.O_RDONLY | constants.O_NONBLOCK | (follow ? 0 : constants.O_NOFOLLOW);
}

function notPlain(path: string | Buffer): Error {
  return Object.assign(new Error(`${path.toString()} is not a regular file`), { code: NOT_PLAIN });
}

function reasonOf(error: unknown): string {
  return isNotPlain(error) ? 'not a regular file' : `cannot be read (${codeOf(error) || 'unknown'})`;
}
