/**
 * `removeFolder`: deletes a folder with everything in it, also where folders in it may not be written (Go's module cache). Few entries go
 * at once: one after the other, each as a task of its own, they take ten times as long.
 */
import { chmodSync, lstatSync, readdirSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

/** As many as the folder of a command has without what the command wrote, and some more. */
const FEW = 100;
const WHOLE = { recursive: true, force: true } as const;

export async function removeFolder(path: string): Promise<void> {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return;
  const remove = async () => (hasFew(path) ? rmSync(path, WHOLE) : await rm(path, WHOLE));
  try {
    await remove();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error;
    makeWritable(path);
    await remove();
  }
}

/** False also where it cannot be told. */
function hasFew(folder: string): boolean {
  const folders = [folder];
  let count = 0;
  try {
    for (const each of folders) {
      const entries = readdirSync(each, { withFileTypes: true });
      count += entries.length;
      if (count > FEW) return false;
      folders.push(...entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(each, name)));
    }
    return true;
  } catch {
    return false;
  }
}

function makeWritable(folder: string): void {
  chmodSync(folder, 0o700);
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) makeWritable(join(folder, entry.name));
}
