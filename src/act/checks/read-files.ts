/**
 * `forgetReads`, `readFiles`: which files of a tree a program opens. Every access time is set to 1970 before it starts; what has a later
 * one afterwards was read. That needs no rights and no tracing, and works on `relatime` mounts, because 1970 is before any change. A
 * program that opens a file with O_NOATIME is not seen.
 */
import { lstatSync, lutimesSync, readFileSync, type Stats } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { rawUnder } from '../../platform/git/raw-path.ts';

/** After this many files, other work of the process gets a turn. */
const SLICE = 500;

/** False: the mount keeps no access times. */
export async function forgetReads(root: string, rawPaths: readonly string[]): Promise<boolean> {
  let probe: Buffer | null = null;
  await each(root, rawPaths, (path, stats) => {
    lutimesSync(path, 0, stats.mtimeMs / 1000);
    if (stats.isFile()) probe ??= path;
  });
  if (probe === null) return rawPaths.length === 0;
  try {
    readFileSync(probe);
    const { atimeMs, mtimeMs } = lstatSync(probe);
    lutimesSync(probe, 0, mtimeMs / 1000);
    return atimeMs !== 0;
  } catch {
    return false;
  }
}

export async function readFiles(root: string, rawPaths: readonly string[]): Promise<string[]> {
  const read: string[] = [];
  await each(root, rawPaths, (_, { atimeMs }, rawPath) => {
    if (atimeMs !== 0) read.push(rawPath);
  });
  return read;
}

async function each(
  root: string,
  rawPaths: readonly string[],
  look: (path: Buffer, stats: Stats, rawPath: string) => void,
): Promise<void> {
  for (const [index, rawPath] of rawPaths.entries()) {
    if (index % SLICE === SLICE - 1) await nextTurn();
    const path = rawUnder(root, rawPath);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats !== undefined) look(path, stats, rawPath);
  }
}
