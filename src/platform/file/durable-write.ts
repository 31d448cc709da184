/** `writeFileDurably`: replaces a file so that it survives power loss. `beforeDurableWrite` counts the durable steps of this process. */
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { makeFolder } from './make-folder.ts';
import { storageError } from '../storage-error.ts';

/**
 * One counter for every durable step of this process (file writes here, commits of the record). A test can end the process at
 * its n-th step and look at what is left on disk.
 */
let count = 0;
let hook: ((n: number) => void) | null = null;

export function setDurableWriteHook(next: ((n: number) => void) | null): void {
  hook = next;
  count = 0;
}

/** To be called just before a step that other processes may rely on after a crash. Returns the number of that step. */
export function beforeDurableWrite(): number {
  count += 1;
  hook?.(count);
  return count;
}

/**
 * A reader sees the old or the new content, never a mixture, also after power loss. A crash in the middle leaves at most a
 * `.tmp` file beside it.
 */
export async function writeFileDurably(
  path: string,
  data: string | Uint8Array,
  options: { mode?: number } = {},
): Promise<void> {
  const directory = dirname(path);
  const temporary = join(directory, `.${basename(path)}.${Math.random().toString(36).slice(2)}.tmp`);
  beforeDurableWrite();
  try {
    makeFolder(directory);
    await withFile(temporary, 'wx', options.mode ?? 0o600, async (file) => {
      await file.writeFile(data);
      await file.sync();
    });
    // A second step at which a test can end the process: everything is written, nothing is visible yet.
    beforeDurableWrite();
    await rename(temporary, path);
    await withFile(directory, 'r', 0, (file) => file.sync());
  } catch (error) {
    await rm(temporary, { force: true });
    throw storageError(error, path);
  }
}

async function withFile(
  path: string,
  flags: string,
  mode: number,
  use: (file: FileHandle) => Promise<void>,
): Promise<void> {
  const file = await open(path, flags, mode);
  try {
    await use(file);
  } finally {
    await file.close();
  }
}
