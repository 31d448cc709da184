/** `removeFolder`: deletes a folder with everything in it, also where folders in it may not be written (Go's module cache). */
import { chmodSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

/** A process that ends at this moment may still write a last file there, which leaves a folder not empty. */
const WHOLE = { recursive: true, force: true, maxRetries: 3 } as const;

export async function removeFolder(path: string): Promise<void> {
  try {
    await rm(path, WHOLE);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error;
    makeWritable(path);
    await rm(path, WHOLE);
  }
}

function makeWritable(folder: string): void {
  chmodSync(folder, 0o700);
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) makeWritable(join(folder, entry.name));
}
