/** `changeTime`: when one of these paths last changed on the disk. */
import { dirname } from 'node:path/posix';
import { stampFiles } from './stamp-files.ts';

/**
 * The kernel's own time of change: no program sets it, so a file that was unpacked with an old date counts as written now. A deleted file
 * has no time, and files of a folder that was moved keep theirs; the folders above tell it. Null: none of the paths can be seen.
 */
export async function changeTime(
  root: string,
  rawPaths: readonly string[],
  signal?: AbortSignal,
): Promise<number | null> {
  const all = new Set(rawPaths);
  for (const path of rawPaths)
    for (let folder = dirname(path); !all.has(folder); folder = dirname(folder)) all.add(folder);
  const stamps = rawPaths.length === 0 ? [] : await stampFiles(root, [...all], signal);
  const latest = stamps.reduce((time, { changedAt }) => Math.max(time, changedAt), Number.NEGATIVE_INFINITY);
  return latest === Number.NEGATIVE_INFINITY ? null : latest;
}
