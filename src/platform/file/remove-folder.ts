/**
 * `removeFolder`: deletes a folder with everything in it, also where folders in it may not be written (Go's module cache). Never in one
 * go of this process: where the disk is at work, even a small folder takes long, and there is something else to do.
 */
import { chmodSync, lstatSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

export async function removeFolder(path: string): Promise<void> {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return;
  try {
    await rm(path, { recursive: true, force: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error;
    makeWritable(path);
    await rm(path, { recursive: true, force: true });
  }
}

function makeWritable(folder: string): void {
  chmodSync(folder, 0o700);
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) makeWritable(join(folder, entry.name));
}
