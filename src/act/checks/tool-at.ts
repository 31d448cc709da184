/**
 * `toolAt`: what a program or module of the person is now. The same object as at the last look, if nothing has changed. `startWith`,
 * `lastingContents`: what was read of large programs, from run to run.
 */
import { createHash } from 'node:crypto';
import {
  closeSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import { dirname, normalize, resolve } from 'node:path';

export const GONE = 'gone';

export interface Tool {
  readonly path: string;
  readonly reached: string;
  /** Null: it is no link. */
  readonly link: string | null;
  /** Null: nothing is there. */
  readonly seen: Seen | null;
}

interface Seen {
  readonly own: Stats;
  /** Of a link: what it leads to; null: nothing. */
  readonly target: Target | null;
}

interface Target {
  readonly path: string;
  readonly stats: Stats;
  /** The folders of a link that leads there in one step, and of what it leads to; null: there is another link on the way. */
  readonly folders: readonly string[] | null;
}

/** Tells for one look whether a folder is where its path says, with no link on the way: many links share their folders. */
export type IsReal = (folder: string) => boolean;

export function realFolders(): IsReal {
  const known = new Map<string, boolean>();
  return (folder) => {
    const answer = known.get(folder) ?? isReal(folder);
    known.set(folder, answer);
    return answer;
  };
}

function isReal(folder: string): boolean {
  try {
    return realpathSync.native(folder) === folder;
  } catch {
    return false;
  }
}

/** `last`: what was there at the last look. */
export function toolAt(path: string, last?: Tool, isRealNow = realFolders()): Tool {
  try {
    return last !== undefined && isAsBefore(last, isRealNow) ? last : newToolAt(path, isRealNow);
  } catch {
    return { path, reached: GONE, link: null, seen: null };
  }
}

const QUIETLY = { throwIfNoEntry: false } as const;

function isAsBefore({ path, link, seen }: Tool, isRealNow: IsReal): boolean {
  if (seen === null || !isSame(seen.own, lstatSync(path))) return false;
  if (link === null) return true;
  const { target } = seen;
  // A link with the same text leads to the same place by the same folders: there is nothing to follow.
  if (target?.folders?.every(isRealNow) === true) {
    const there = lstatSync(target.path, QUIETLY);
    return there !== undefined && isSame(target.stats, there);
  }
  const now = statSync(path, QUIETLY);
  if (now === undefined || target === null) return now === undefined && target === null;
  return isSame(target.stats, now) && target.path === realpathSync.native(path);
}

function newToolAt(path: string, isRealNow: IsReal): Tool {
  const own = lstatSync(path);
  const isLink = own.isSymbolicLink();
  if (!isLink) return { path, reached: stampOf(path, own), link: null, seen: { own, target: null } };
  const target = targetOf(path, isRealNow);
  return {
    path,
    reached: target === null ? GONE : `${target.path} ${stampOf(path, target.stats)}`,
    link: stampOf(path, own),
    seen: { own, target },
  };
}

function targetOf(link: string, isRealNow: IsReal): Target | null {
  const stats = statSync(link, QUIETLY);
  if (stats === undefined) return null;
  const path = realpathSync.native(link);
  const text = readlinkSync(link);
  const folder = dirname(link);
  const isStep = isRealNow(folder) && normalize(text) === text && resolve(folder, text) === path;
  return { path, stats, folders: isStep ? [folder, dirname(path)] : null };
}

/**
 * Numbers, not bigints, which would be much garbage. Times of this century are told apart where they differ by a quarter of a
 * microsecond: no file is changed, looked at and changed again in less.
 */
function isSame(last: Stats, now: Stats): boolean {
  return (
    last.ctimeMs === now.ctimeMs &&
    last.mtimeMs === now.mtimeMs &&
    last.size === now.size &&
    last.ino === now.ino &&
    last.dev === now.dev &&
    last.nlink === now.nlink &&
    // Larger numbers of files lose their last digits.
    Number.isSafeInteger(now.ino)
  );
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

/** By identity and, last, time of change: a large program is read once. */
const contents = new Map<string, string>();
const PART_BYTES = 4 * 1024 ** 2;

function contentOf(path: string, { dev, ino, size, mtimeMs, ctimeMs }: Stats): string {
  const key = [dev, ino, size, mtimeMs, ctimeMs].join(' ');
  const known = Number.isSafeInteger(ino) ? contents.get(key) : undefined;
  if (known !== undefined) return known;
  const hash = createHash('sha256');
  const part = Buffer.alloc(Math.min(size, PART_BYTES));
  const file = openSync(path, 'r');
  try {
    for (let read = 1; read > 0; hash.update(part.subarray(0, read))) read = readSync(file, part);
  } finally {
    closeSync(file);
  }
  const digest = hash.digest('hex');
  contents.set(key, digest);
  return digest;
}

/** Takes over what earlier runs read of large programs. */
export function startWith(known: Readonly<Record<string, string>>): void {
  for (const [key, digest] of Object.entries(known)) contents.set(key, digest);
}

/** What was read, of those programs that have not just changed. */
export function lastingContents(): [key: string, digest: string][] {
  return [...contents].filter(([key]) => !isFresh(key)).slice(-MAX_KNOWN);
}

/** A store of packages may have many files with several names; those that were read last are kept. */
const MAX_KNOWN = 1_000;
/** Two changes within a tick of the kernel's clock have the same time, also on a slow file system. */
const FRESH_MS = 3_000;

function isFresh(key: string): boolean {
  const changedAt = Number(key.slice(key.lastIndexOf(' ') + 1));
  return changedAt > Date.now() - FRESH_MS;
}
