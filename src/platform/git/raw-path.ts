/**
 * `splitNul`, `joinNul`, `rawToText`, `rawUnder`: convert raw paths. File names are bytes, not text. Inside Mayday's git code a path is a
 * *raw path*: one character per byte (latin1), so that names which are not UTF-8 stay the same between git and the file system. A
 * person is shown the result of `rawToText`.
 */
import { join } from 'node:path';

export function splitNul(bytes: Buffer): string[] {
  if (bytes.length === 0) return [];
  const parts = bytes.toString('latin1').split('\0');
  if (parts.at(-1) === '') parts.pop();
  return parts;
}

export function joinNul(rawPaths: readonly string[]): Buffer {
  return Buffer.from(rawPaths.map((path) => `${path}\0`).join(''), 'latin1');
}

export function rawToText(rawPath: string): string {
  return Buffer.from(rawPath, 'latin1').toString('utf8');
}

/** The absolute path for file system calls, byte for byte. */
export function rawUnder(root: string, rawPath: string): Buffer {
  return Buffer.concat([Buffer.from(join(root, '/')), Buffer.from(rawPath, 'latin1')]);
}
