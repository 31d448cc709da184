/** `copyInto`: copies files into a tree that an agent may have written to: never through a symbolic link, never over an existing file. */
import { constants, type Dirent } from 'node:fs';
import { copyFile, lstat, mkdir, readdir, readlink, realpath, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isInside } from './inside.ts';

export interface CopyReport {
  readonly files: number;
  readonly skipped: readonly string[];
}

/** node_modules of a large project has some hundred thousand files. A folder with more files was named by mistake. */
const MAX_FILES = 1_000_000;
const PARALLEL = 16;

/** `relative` is a file, link or folder below `from`. Blocks are shared where the file system can. */
export async function copyInto(
  from: string,
  to: string,
  relative: string,
  signal?: AbortSignal,
): Promise<CopyReport> {
  const skipped: string[] = [];
  let files = 0;
  const copyOne = async (path: string): Promise<void> => {
    signal?.throwIfAborted();
    if (files >= MAX_FILES) {
      skipped.push(path);
      return;
    }
    const source = join(from, path);
    const target = join(to, path);
    const facts = await lstat(source).catch(() => null);
    if (facts === null) return;
    if (facts.isDirectory()) {
      await mkdir(target, { recursive: true, mode: facts.mode & 0o777 });
      if (!(await staysInside(to, target))) {
        skipped.push(path);
        return;
      }
      const entries = await readdir(source, { withFileTypes: true });
      await inParallel(entries, async (entry: Dirent) => await copyOne(join(path, entry.name)));
      return;
    }
    if (!facts.isFile() && !facts.isSymbolicLink()) {
      skipped.push(path);
      return;
    }
    files += 1;
    try {
      if (facts.isSymbolicLink()) await symlink(await readlink(source), target);
      else await copyFile(source, target, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOSPC') throw error;
      skipped.push(path);
    }
  };
  const parent = dirname(join(to, relative));
  let ancestor = parent;
  while ((await lstat(ancestor).catch(() => null)) === null) ancestor = dirname(ancestor);
  // This is checked before any folder is made: a link in the tree could lead the new folders out of it.
  if (!(await staysInside(to, ancestor))) return { files: 0, skipped: [relative] };
  await mkdir(parent, { recursive: true });
  await copyOne(relative);
  return { files, skipped };
}

/** True if the folder, with all links followed, is the root or lies below it. */
export async function staysInside(root: string, folder: string): Promise<boolean> {
  const [realRoot, realFolder] = await Promise.all([realpath(root), realpath(folder).catch(() => '')]);
  return isInside(realFolder, realRoot);
}

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  for (let start = 0; start < items.length; start += PARALLEL)
    await Promise.all(items.slice(start, start + PARALLEL).map(work));
}
