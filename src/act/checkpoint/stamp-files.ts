/** `stampFiles`, `unstable`: note size, times and inode of files, to notice a file that changes while it is saved. */
import { type BigIntStats, lstatSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { rawUnder } from '../../platform/git/raw-path.ts';

export interface FileStamp {
  readonly rawPath: string;
  readonly type: 'file' | 'link' | 'directory' | 'special' | 'gone';
  readonly bytes: number;
  /** Size, times and inode as one text. */
  readonly identity: string;
  /** The kernel's time of the last change, of content or of name; negative infinity for what is gone. */
  readonly changedAt: number;
}

/** Synchronous calls are five times cheaper than asynchronous ones. After this many, other work of the process gets a turn. */
const SLICE = 500;
const NS_PER_MS = 1_000_000n;

export async function stampFiles(
  root: string,
  rawPaths: readonly string[],
  signal?: AbortSignal,
): Promise<FileStamp[]> {
  const stamps: FileStamp[] = [];
  for (const rawPath of rawPaths) {
    if (stamps.length > 0 && stamps.length % SLICE === 0) {
      await nextTurn();
      signal?.throwIfAborted();
    }
    stamps.push(stampFile(root, rawPath));
  }
  return stamps;
}

function stampFile(root: string, rawPath: string): FileStamp {
  let stats: BigIntStats | undefined;
  try {
    stats = lstatSync(rawUnder(root, rawPath), { bigint: true, throwIfNoEntry: false });
  } catch {}
  if (stats === undefined)
    return { rawPath, type: 'gone', bytes: 0, identity: '', changedAt: Number.NEGATIVE_INFINITY };
  const { size, mtimeNs, ctimeNs, ino } = stats;
  const type = stats.isFile()
    ? 'file'
    : stats.isSymbolicLink()
      ? 'link'
      : stats.isDirectory()
        ? 'directory'
        : 'special';
  const identity = `${size} ${mtimeNs} ${ctimeNs} ${ino}`;
  return { rawPath, type, bytes: Number(size), identity, changedAt: Number(ctimeNs / NS_PER_MS) };
}

/** The later stamps that differ from the earlier ones of the same files, in the same order. */
export function unstable(before: readonly FileStamp[], after: readonly FileStamp[]): FileStamp[] {
  return after.filter((stamp, index) => stamp.identity !== before[index]?.identity);
}
