/**
 * `writeFileDurably`: replaces a file so that it survives power loss. `writeFileWhole`: so that it survives the death of any process.
 * `makeFileOnce`: makes one that only the first of several processes writes.
 * `beforeDurableWrite` counts the durable steps of this process.
 */
import {
  closeSync,
  fsync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { codeOf } from './file-kind.ts';
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
  await replaceFile(path, data, options.mode, toDisk);
}

/** For what is made anew after a power loss, which may take it or leave an empty file. Waiting for the disk is most of a small write. */
export async function writeFileWhole(
  path: string,
  data: string | Uint8Array,
  options: { mode?: number } = {},
): Promise<void> {
  await replaceFile(path, data, options.mode, null);
}

async function replaceFile(
  path: string,
  data: string | Uint8Array,
  mode = 0o600,
  save: ((file: number) => Promise<void>) | null,
): Promise<void> {
  const directory = dirname(path);
  const temporary = join(directory, `.${basename(path)}.${Math.random().toString(36).slice(2)}.tmp`);
  beforeDurableWrite();
  try {
    makeFolder(directory);
    await withFile(openSync(temporary, 'wx', mode), async (file) => {
      writeFileSync(file, data);
      await save?.(file);
    });
    // A second step at which a test can end the process: everything is written, nothing is visible yet.
    beforeDurableWrite();
    renameSync(temporary, path);
    if (save !== null) await withFile(openSync(directory, 'r'), save);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw storageError(error, path);
  }
}

/** Only the disk is waited for elsewhere: the other steps take longer to hand over than to do. */
const toDisk = promisify(fsync);

async function withFile(file: number, use: (file: number) => Promise<void>): Promise<void> {
  try {
    await use(file);
  } finally {
    closeSync(file);
  }
}

/** Returns what the file holds: this text, or that of another process that was first. */
export function makeFileOnce(path: string, text: string): string {
  const mine = `${path}.${process.pid}.${Math.random().toString(36).slice(2)}`;
  try {
    makeFolder(dirname(path));
    writeFileSync(mine, text, { mode: 0o600, flag: 'wx', flush: true });
    try {
      linkSync(mine, path);
    } catch (error) {
      // EEXIST: another process was first. Any other error: the file system has no links, and the last process wins.
      if (codeOf(error) !== 'EEXIST') renameSync(mine, path);
    }
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw storageError(error, path);
  } finally {
    rmSync(mine, { force: true });
  }
}
