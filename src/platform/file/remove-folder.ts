/** `removeFolder`: deletes a folder with everything in it, also where folders in it may not be written (Go's module cache). */
import { chmodSync, lstatSync, readdirSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

/** So many files are deleted within milliseconds, in which this process does nothing else. Beside other work it takes ten times as long. */
const SMALL = 200;

export async function removeFolder(path: string): Promise<void> {
  if (removeSmall(path)) return;
  try {
    await rm(path, { recursive: true, force: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error;
    makeWritable(path);
    await rm(path, { recursive: true, force: true });
  }
}

/** False: there is more in it, or something in it cannot be deleted just so. */
function removeSmall(path: string): boolean {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found?.isDirectory() === true && countUpTo(SMALL, path) >= SMALL) return false;
    rmSync(path, { recursive: true, force: true });
    return true;
  } catch {
    return false;
  }
}

function countUpTo(limit: number, folder: string): number {
  const entries = readdirSync(folder, { withFileTypes: true });
  let count = entries.length;
  for (const entry of entries) {
    if (count >= limit) break;
    if (entry.isDirectory()) count += countUpTo(limit - count, join(folder, entry.name));
  }
  return count;
}

function makeWritable(folder: string): void {
  chmodSync(folder, 0o700);
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) makeWritable(join(folder, entry.name));
}
