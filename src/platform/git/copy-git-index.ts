/**
 * `copyGitIndex`: copies a git index together with its modification time. Git compares whole seconds and sizes; it reads a file that was
 * written in the same second as its index entry again only while the index is no younger than the file. If the copy had the time of
 * copying, a change of equal length would stay hidden from git for ever.
 */
import { statSync, utimesSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';

export async function copyGitIndex(from: string, to: string): Promise<void> {
  // The time is read before the copy: a time that is too old only makes git read more files.
  const { atimeMs, mtimeMs } = statSync(from);
  await copyFile(from, to);
  utimesSync(to, Math.floor(atimeMs / 1000), Math.floor(mtimeMs / 1000));
}
