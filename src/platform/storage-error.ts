/** `storageError`: turns an error of the file system into one with its true cause, a code and advice. `temporaryFolder` makes a folder. */
import { existsSync, mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { codeOf } from './file/file-kind.ts';
import { MaydayError } from './mayday-error.ts';

/** An error that is not from the file system is returned as it is. */
export function storageError(error: unknown, path: string): unknown {
  switch (codeOf(error)) {
    // The error of Node's recursive mkdir on a read-only disk.
    case 'ENOENT':
    case 'ENOTDIR':
      return readOnly(path, error);
    default:
      return exhausted(error, path);
  }
}

/** Explains only what the machine has run out of, or forbids. It is safe for any error: a missing file stays a missing file. */
export function exhausted(error: unknown, path: string): unknown {
  const code = codeOf(error);
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return diskFull(path, error);
    case 'EMFILE':
    case 'ENFILE':
      return tooManyFiles(code, error);
    case 'EROFS':
    case 'EACCES':
    case 'EPERM':
      return readOnly(path, error);
    default:
      return error;
  }
}

/** The path that the system names in its error. */
export function pathOf(error: unknown): string {
  return error instanceof Error && 'path' in error && typeof error.path === 'string' ? error.path : 'a file';
}

export function diskFull(path: string, cause: unknown): MaydayError {
  const what = hasInodes(path) ? 'space' : 'file entries (inodes)';
  return new MaydayError('DISK_FULL', `no ${what} left to write ${path}`, [
    ['did', 'kept everything that was already acknowledged; the last write was taken back whole'],
    ['do', `free some ${what} on this disk (\`mayday sweep\` lists what can go), then run the command again`],
  ]).causedBy(cause);
}

export function tooManyFiles(code: 'EMFILE' | 'ENFILE', cause: unknown): MaydayError {
  return new MaydayError(
    'TOO_MANY_FILES',
    `all files that this ${code === 'EMFILE' ? 'process' : 'machine'} may open are open (${code})`,
    [
      ['did', 'stopped here; what was recorded is kept'],
      ['do', 'raise the limit (`ulimit -n 1024`; fs.file-max for the machine), then run the command again'],
    ],
  ).causedBy(cause);
}

export function readOnly(path: string, cause: unknown): MaydayError {
  const parent = existing(path);
  const missing = parent === dirname(path) || parent === path ? null : below(parent, path);
  return new MaydayError(
    'STORE_READ_ONLY',
    `${path} may not be written${missing === null ? '' : `: ${missing} does not exist, and it may not be made`}`,
    [
      ['did', 'wrote nothing; what is recorded can still be read'],
      ['do', 'check the owner and mode of the folder, or point MAYDAY_HOME to a folder of your own'],
    ],
  ).causedBy(cause);
}

/** Makes a new folder in the system's temporary folder, or throws an error that says why not. */
export function temporaryFolder(prefix: string): string {
  const folder = tmpdir();
  try {
    return mkdtempSync(join(folder, prefix));
  } catch (error) {
    throw new MaydayError(
      'TEMPORARY_FOLDER',
      `the temporary folder ${folder} cannot be used: ${whyNot(folder, codeOf(error))}`,
      [
        ['did', 'nothing yet'],
        ['do', 'mend it, or set TMPDIR to a folder that you may write to'],
      ],
    ).causedBy(error);
  }
}

function whyNot(folder: string, code: unknown): string {
  if (!existsSync(folder)) return 'it does not exist';
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return hasInodes(folder) ? 'it is full' : 'no file entries (inodes) are left';
  return code === 'EMFILE' || code === 'ENFILE'
    ? 'too many files are open'
    : `it may not be written (${String(code)})`;
}

/** File systems that do not count inodes report zero of zero. */
function hasInodes(path: string): boolean {
  try {
    const { files, ffree } = statfsSync(existing(path));
    return files === 0 || ffree > 0;
  } catch {
    return true;
  }
}

/** The nearest folder that exists. */
function existing(path: string): string {
  let folder = path;
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}

function below(parent: string, path: string): string {
  let child = path;
  while (dirname(child) !== parent) child = dirname(child);
  return child;
}
