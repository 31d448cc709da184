/**
 * `removeFolder`: deletes a folder with everything in it, also where folders in it may not be written (Go's module cache). Few entries go
 * at once: one after the other, each as a task of its own, they take ten times as long.
 */
import { chmodSync, lstatSync, readdirSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

/** As many as the folder of a command has without what the command wrote, and some more. */
const FEW = 100;
/** To give back gigabytes takes the kernel seconds, in which this process would do nothing else. */
const SMALL_BYTES = 16 * 1024 ** 2;
const WHOLE = { recursive: true, force: true } as const;

export async function removeFolder(path: string): Promise<void> {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return;
  try {
    if (isSmall(path)) return rmSync(path, WHOLE);
  } catch {
    // The slower way says what is wrong.
  }
  try {
    await rm(path, WHOLE);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error;
    makeWritable(path);
    await rm(path, WHOLE);
  }
}

function isSmall(folder: string): boolean {
  const folders = [folder];
  let [count, bytes] = [0, 0];
  for (const each of folders) {
    const entries = readdirSync(each, { withFileTypes: true });
    count += entries.length;
    if (count > FEW) return false;
    for (const entry of entries) {
      const path = join(each, entry.name);
      if (entry.isDirectory()) folders.push(path);
      else bytes += lstatSync(path).size;
    }
    if (bytes > SMALL_BYTES) return false;
  }
  return true;
}

function makeWritable(folder: string): void {
  chmodSync(folder, 0o700);
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) makeWritable(join(folder, entry.name));
}
