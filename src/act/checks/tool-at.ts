/**
 * `toolAt`: what a program or module of the person is now. The same object as at the last look, if nothing has changed. `startWith`,
 * `lastingContents`: what was read of large programs, from run to run.
 */
import { createHash } from 'node:crypto';
import {
  type BigIntStats,
  closeSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';

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
  readonly own: Stamps;
  /** Of a link: what it leads to; null: nothing. */
  readonly target: { readonly path: string; readonly stamps: Stamps } | null;
}

/** `last`: what was there at the last look. */
export function toolAt(path: string, last?: Tool): Tool {
  try {
    return last !== undefined && isAsBefore(last) ? last : newToolAt(path);
  } catch {
    return { path, reached: GONE, link: null, seen: null };
  }
}

function isAsBefore({ path, link, seen }: Tool): boolean {
  if (seen === null || !isSame(seen.own, lstatSync(path))) return false;
  if (link === null) return true;
  const target = statSync(path, { throwIfNoEntry: false });
  if (target === undefined || seen.target === null) return target === undefined && seen.target === null;
  return isSame(seen.target.stamps, target) && seen.target.path === realpathSync.native(path);
}

function newToolAt(path: string): Tool {
  const own = lstatSync(path, { bigint: true });
  const isLink = own.isSymbolicLink();
  const target = isLink ? targetOf(path) : null;
  return {
    path,
    reached: isLink ? reachedBy(path, target) : stampOf(path, own),
    link: isLink ? stampOf(path, own) : null,
    seen: { own: stampsOf(own), target: target && { ...target, stamps: stampsOf(target.stamps) } },
  };
}

function targetOf(link: string): { readonly path: string; readonly stamps: BigIntStats } | null {
  const stamps = statSync(link, { bigint: true, throwIfNoEntry: false });
  return stamps === undefined ? null : { path: realpathSync.native(link), stamps };
}

function reachedBy(link: string, target: ReturnType<typeof targetOf>): string {
  return target === null ? GONE : `${target.path} ${stampOf(link, target.stamps)}`;
}

/**
 * As numbers: bigints of each look would be much garbage. Times of this century are told apart where they differ by a quarter of a
 * microsecond: no file is changed, looked at and changed again in less.
 */
type Stamps = Pick<Stats, 'size' | 'mtimeMs' | 'ino' | 'ctimeMs' | 'nlink'>;

function isSame(last: Stamps, now: Stamps): boolean {
  return (
    last.ctimeMs === now.ctimeMs &&
    last.mtimeMs === now.mtimeMs &&
    last.size === now.size &&
    last.ino === now.ino &&
    last.nlink === now.nlink &&
    // Larger numbers of files lose their last digits.
    Number.isSafeInteger(now.ino)
  );
}

function stampsOf({ size, mtimeNs, ino, ctimeNs, nlink }: BigIntStats): Stamps {
  return {
    size: Number(size),
    mtimeMs: msOf(mtimeNs),
    ino: Number(ino),
    ctimeMs: msOf(ctimeNs),
    nlink: Number(nlink),
  };
}

const SECOND_NS = 1_000_000_000n;

/** Rounded as Node rounds it; otherwise no look would find its file as before. */
function msOf(ns: bigint): number {
  return Number(ns / SECOND_NS) * 1_000 + Number(ns % SECOND_NS) / 1_000_000;
}

function stampOf(path: string, stats: BigIntStats): string {
  return `${stats.size} ${stats.mtimeNs} ${stats.ino} ${changeOf(path, stats)}`;
}

/**
 * No program can set back the time of change. But it moves whenever a file with several names gets another, as when pnpm installs the
 * same tool for another project: such a file is known by its content.
 */
function changeOf(path: string, stats: BigIntStats): string {
  if (stats.nlink === 1n) return String(stats.ctimeNs);
  if (stats.isSymbolicLink()) return readlinkSync(path);
  return stats.isFile() ? contentOf(path, stats) : String(stats.ctimeNs);
}

/** By identity and, last, time of change: a large program is read once. */
const contents = new Map<string, string>();
const PART_BYTES = 4 * 1024 ** 2;

function contentOf(path: string, { dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  const key = [dev, ino, size, mtimeNs, ctimeNs].join(' ');
  const known = contents.get(key);
  if (known !== undefined) return known;
  const hash = createHash('sha256');
  const part = Buffer.alloc(Math.min(Number(size), PART_BYTES));
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
  const changedAt = Number(key.slice(key.lastIndexOf(' ') + 1)) / 1_000_000;
  return changedAt > Date.now() - FRESH_MS;
}
