/**
 * Copies a git index together with its time of change. Git compares whole seconds and sizes; a file that was written in the same
 * second as its index entry is read again only while the index is no younger than the file. A copy with the time of copying
 * would hide a change of equal length from git for ever.
 */
import { copyFile, stat, utimes } from 'node:fs/promises';

export async function copyGitIndex(from: string, to: string): Promise<void> {
  // Looked at before it is copied: too old a time only makes git read more files.
  const { atimeMs, mtimeMs } = await stat(from);
  await copyFile(from, to);
  await utimes(to, Math.floor(atimeMs / 1000), Math.floor(mtimeMs / 1000));
}
