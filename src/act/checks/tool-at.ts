/**
 * `toolAt`: what a program or module of the person is now. The same object as last time, if nothing has changed. `startWith`,
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
  statSync,
} from 'node:fs';

export const GONE = 'gone';

export interface Tool {
  readonly reached: string;
  /** Null: it is no link. */
  readonly link: string | null;
}

const NOTHING: Tool = { reached: GONE, link: null };

/** What identities are made of. */
type Stamps = Pick<BigIntStats, 'size' | 'mtimeNs' | 'ino' | 'ctimeNs' | 'nlink'>;

interface Look {
  readonly own: Stamps;
  /** Of a link: what it leads to; null: nothing. */
  readonly target: { readonly path: string; readonly stamps: Stamps } | null;
  readonly tool: Tool;
}

/** The last look at each path. Where nothing has changed, the identity is that of then, and to compare it takes no time. */
const looks = new Map<string, Look>();
/** All programs of a machine; of large homes with modules the rest is looked at without. */
const MAX_LOOKS = 10_000;

export function toolAt(path: string): Tool {
  try {
    const own = lstatSync(path, { bigint: true });
    const target = own.isSymbolicLink() ? targetOf(path) : null;
    const last = looks.get(path);
    if (last !== undefined && isSame(last.own, own) && leadsToSame(last.target, target)) return last.tool;
    const tool = own.isSymbolicLink()
      ? { reached: reachedBy(path, target), link: stampOf(path, own) }
      : { reached: stampOf(path, own), link: null };
    if (last !== undefined || looks.size < MAX_LOOKS)
      looks.set(path, {
        own: stampsOf(own),
        target: target && { ...target, stamps: stampsOf(target.stamps) },
        tool,
      });
    return tool;
  } catch {
    return NOTHING;
  }
}

function targetOf(link: string): { readonly path: string; readonly stamps: BigIntStats } | null {
  const stamps = statSync(link, { bigint: true, throwIfNoEntry: false });
  return stamps === undefined ? null : { path: realpathSync.native(link), stamps };
}

function reachedBy(link: string, target: ReturnType<typeof targetOf>): string {
  return target === null ? GONE : `${target.path} ${stampOf(link, target.stamps)}`;
}

function leadsToSame(last: Look['target'], now: Look['target']): boolean {
  if (last === null || now === null) return last === now;
  return last.path === now.path && isSame(last.stamps, now.stamps);
}

function isSame(last: Stamps, now: Stamps): boolean {
  return (
    last.ctimeNs === now.ctimeNs &&
    last.mtimeNs === now.mtimeNs &&
    last.size === now.size &&
    last.ino === now.ino &&
    last.nlink === now.nlink
  );
}

function stampsOf({ size, mtimeNs, ino, ctimeNs, nlink }: Stamps): Stamps {
  return { size, mtimeNs, ino, ctimeNs, nlink };
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

/** Forgets the looks of earlier runs, and takes over what they read of large programs. */
export function startWith(known: Readonly<Record<string, string>>): void {
  looks.clear();
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
