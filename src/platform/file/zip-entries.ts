/** `zipEntries`: the files of a zip archive and a stream of each; `isZip`: whether a file begins as one. Only stored and deflated files. */
import { createReadStream } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { pipeline, Readable } from 'node:stream';
import { createInflateRaw } from 'node:zlib';

export interface ZipEntry {
  readonly name: string;
  readonly open: () => Promise<Readable>;
}

const END = 0x06054b50;
const ENTRY = 0x02014b50;
/** The end record and its longest comment. */
const TAIL_BYTES = 65_557;
/** A log archive has a few hundred files; a directory beyond this is not read. */
const DIRECTORY_BYTES = 8 * 1024 * 1024;

export async function isZip(file: FileHandle): Promise<boolean> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0);
  return bytesRead === 4 && buffer.toString('latin1') === 'PK\u0003\u0004';
}

/** Null where the directory cannot be read: cut off, too large, or of a kind that is not supported. */
export async function zipEntries(file: FileHandle, path: string): Promise<readonly ZipEntry[] | null> {
  const { size } = await file.stat();
  const tail = await bytesAt(file, Math.max(0, size - TAIL_BYTES), Math.min(size, TAIL_BYTES));
  const end = tail.lastIndexOf(Buffer.from('PK\u0005\u0006', 'latin1'));
  if (end === -1 || tail.length - end < 22 || tail.readUInt32LE(end) !== END) return null;
  const [length, start] = [tail.readUInt32LE(end + 12), tail.readUInt32LE(end + 16)];
  if (length > DIRECTORY_BYTES || start + length > size) return null;
  const directory = await bytesAt(file, start, length);
  const entries: ZipEntry[] = [];
  for (let at = 0; at + 46 <= directory.length && directory.readUInt32LE(at) === ENTRY; ) {
    const [method, packed] = [directory.readUInt16LE(at + 10), directory.readUInt32LE(at + 20)];
    const [nameBytes, extra, comment] = [28, 30, 32].map((field) => directory.readUInt16LE(at + field));
    const header = directory.readUInt32LE(at + 42);
    const name = directory.toString('utf8', at + 46, at + 46 + (nameBytes ?? 0));
    if (method === 0 || method === 8)
      entries.push({ name, open: () => openEntry(file, path, header, packed, method) });
    at += 46 + (nameBytes ?? 0) + (extra ?? 0) + (comment ?? 0);
  }
  return entries;
}

async function openEntry(
  file: FileHandle,
  path: string,
  header: number,
  packed: number,
  method: number,
): Promise<Readable> {
  const local = await bytesAt(file, header, 30);
  const start = header + 30 + local.readUInt16LE(26) + local.readUInt16LE(28);
  if (packed === 0) return Readable.from([]);
  const raw = createReadStream(path, { start, end: start + packed - 1 });
  if (method === 0) return raw;
  const inflate = createInflateRaw();
  // The reader of the last stream is told of every error.
  pipeline(raw, inflate, () => undefined);
  return inflate;
}

async function bytesAt(file: FileHandle, start: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await file.read(buffer, 0, length, start);
  return buffer.subarray(0, bytesRead);
}
