/** `toolAt`: what a program or module of the person is now, as one text. */
import { createHash } from 'node:crypto';
import { lstatSync, readFileSync, readlinkSync, realpathSync, type Stats, statSync } from 'node:fs';

export const GONE = 'gone';

export interface Tool {
  readonly path: string;
  readonly reached: string;
  /** Null: it is no link. */
  readonly link: string | null;
}

export function toolAt(path: string): Tool {
  try {
    const own = lstatSync(path);
    const link = own.isSymbolicLink() ? stampOf(path, own) : null;
    if (link === null) return { path, reached: stampOf(path, own), link };
    const target = statSync(path, { throwIfNoEntry: false });
    const reached = target === undefined ? GONE : `${realpathSync.native(path)} ${stampOf(path, target)}`;
    return { path, reached, link };
  } catch {
    return { path, reached: GONE, link: null };
  }
}

function stampOf(path: string, stats: Stats): string {
  return `${stats.size} ${stats.mtimeMs} ${stats.ino} ${changeOf(path, stats)}`;
}

/**
 * No program can set back the time of change. But it moves whenever a file with several names gets another, as when pnpm installs the
 * same tool for another project: such a file is known by its content.
 */
function changeOf(path: string, stats: Stats): string {
  if (stats.nlink === 1) return String(stats.ctimeMs);
  if (stats.isSymbolicLink()) return readlinkSync(path);
  return stats.isFile() ? contentOf(path, stats) : String(stats.ctimeMs);
}

/** By identity and time of change: a large program is read once by each process. */
const contents = new Map<string, string>();

function contentOf(path: string, { dev, ino, size, mtimeMs, ctimeMs }: Stats): string {
  const key = [dev, ino, size, mtimeMs, ctimeMs].join(' ');
  const digest = contents.get(key) ?? createHash('sha256').update(readFileSync(path)).digest('hex');
  contents.set(key, digest);
  return digest;
}
