/** `isFolder`, `isFile`, `isExecutable`, `isWritable`, `isAllowed`: what a path is for this process. `codeOf`: the code of an error. */
import { accessSync, constants, statSync } from 'node:fs';

/** Most paths that are asked about are not there, and an error takes several times as long as the answer. */
const QUIETLY = { throwIfNoEntry: false } as const;

/** False also for what cannot be looked at. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path, QUIETLY)?.isDirectory() ?? false;
  } catch {
    return false;
  }
}

/** The same: a name that is too long is no file. */
export function isFile(path: string): boolean {
  try {
    return statSync(path, QUIETLY)?.isFile() ?? false;
  } catch {
    return false;
  }
}

export function isExecutable(path: string): boolean {
  return isAllowed(path, constants.X_OK);
}

export function isWritable(path: string): boolean {
  return isAllowed(path, constants.W_OK);
}

export function isAllowed(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}

/** Like `ENOENT`; empty where it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
