import { MaydayError } from './mayday-error.ts';

/** Gives an error of the file system a code and advice; anything else comes back as it is. */
export function storageError(error: unknown, path: string): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return diskFull(path, error);
    // What a recursive mkdir of Node says on a read-only disk.
    case 'ENOENT':
    case 'ENOTDIR':
    case 'EROFS':
    case 'EACCES':
    case 'EPERM':
      return readOnly(path, error);
    default:
      return error;
  }
}

export function diskFull(path: string, cause: unknown): MaydayError {
  return new MaydayError(
    'DISK_FULL',
    `No space left to write ${path}.`,
    [
      [
        'what Mayday did',
        'Kept everything that was already acknowledged; the last write was taken back whole.',
      ],
      [
        'what you can do',
        'Free some space on this disk (`mayday sweep` lists what can go), then run the command again.',
      ],
    ],
    { cause },
  );
}

export function readOnly(path: string, cause: unknown): MaydayError {
  return new MaydayError(
    'STORE_READ_ONLY',
    `${path} may not be written.`,
    [
      ['what Mayday did', 'Wrote nothing; what is recorded can still be read.'],
      [
        'what you can do',
        'Check the owner and mode of the folder, or point MAYDAY_HOME to a folder of your own.',
      ],
    ],
    { cause },
  );
}
