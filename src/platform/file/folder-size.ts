/** `folderBytes`: counts the disk space of a folder, without following links. It stops at a bound: the number is only shown to a person. */
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Enough for a large monorepo with its modules; counting more would take longer than a person waits. */
const MAX_ENTRIES = 500_000;
const BLOCK_BYTES = 512;

export async function folderBytes(folder: string): Promise<number> {
  let bytes = 0;
  let entries = 0;
  const folders = [folder];
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    for (const entry of await readdir(at, { withFileTypes: true }).catch(() => [])) {
      if ((entries += 1) > MAX_ENTRIES) return bytes;
      const path = join(at, entry.name);
      if (entry.isDirectory()) folders.push(path);
      else bytes += ((await lstat(path).catch(() => null))?.blocks ?? 0) * BLOCK_BYTES;
    }
  }
  return bytes;
}
