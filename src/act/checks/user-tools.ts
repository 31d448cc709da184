/**
 * `userTools`, `firstUserTools`, `changedTools`: the programs and Python modules of the person that a check would run and an agent can
 * write: entries of writable folders on the PATH, and installed modules in the home. Each has its identity, as a seal has it. That of a
 * link has two parts: the program that it reaches, and the link itself. Between two checks only the first counts: nvm and brew make links
 * anew. While a check runs both count: a link can lead elsewhere and back.
 */
import { createHash } from 'node:crypto';
import {
  type BigIntStats,
  closeSync,
  globSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { writeFileDurably } from '../../platform/file/durable-write.ts';
import { isWritable } from '../../platform/file/file-kind.ts';
import { findPaths, namesIn } from '../../platform/file/find-paths.ts';
import { readState } from '../../platform/file/plain-file.ts';
import { Seal } from './tree-seal.ts';

/** A home with more installed files than this is only guarded for the first ones. */
const MAX_ENTRIES = 50_000;
const MODULE_FOLDERS = ['.local/lib/python3*/site-packages'];
const MODULE = /\.(?:py|so)$/;

/** By path. */
export interface Tools {
  readonly reached: Seal;
  /** Only of links. */
  readonly links: Seal;
}

export function userTools(env: Readonly<Record<string, string>>): Tools {
  const folders = (env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && isWritable(folder));
  const tools: Tools = { reached: {}, links: {} };
  let left = MAX_ENTRIES;
  // A folder with two names on the PATH (`/bin` is often `/usr/bin`) is looked at once.
  const looked = new Map<string, [name: string, tool: Tool][]>();
  for (const folder of folders.map((path) => join(path, '/'))) {
    const real = realpathSync(folder);
    const programs = looked.get(real) ?? toolsIn(folder);
    looked.set(real, programs);
    for (const [name, tool] of programs.slice(0, left)) add(tools, folder + name, tool);
    left = Math.max(0, left - programs.length);
  }
  const user = env['HOME'] ?? '';
  const modules = isAbsolute(user)
    ? findPaths(user, MODULE_FOLDERS).flatMap((path) => modulesIn(join(user, path)))
    : [];
  for (const path of modules.slice(0, left)) add(tools, path, toolAt(path));
  return tools;
}

function add({ reached, links }: Tools, path: string, tool: Tool): void {
  reached[path] = tool.reached;
  if (tool.link !== null) links[path] = tool.link;
}

function toolsIn(folder: string): [name: string, tool: Tool][] {
  return namesIn(folder)
    .slice(0, MAX_ENTRIES)
    .map((name) => [name, toolAt(folder + name)]);
}

/**
 * The tools before the first agent of a run. Only this look takes over what earlier runs read of large programs: later an agent that sees
 * the home may have written it.
 */
export async function firstUserTools(home: string, env: Readonly<Record<string, string>>): Promise<Tools> {
  const file = join(home, 'tool-contents.json');
  const known = readState(Seal, file) ?? {};
  looks.clear();
  for (const [key, digest] of Object.entries(known)) contents.set(key, digest);
  const tools = userTools(env);
  const lasting = [...contents].filter(([key]) => !isFresh(key)).slice(-MAX_KNOWN);
  if (lasting.some(([key]) => !Object.hasOwn(known, key)))
    await writeFileDurably(file, JSON.stringify(Object.fromEntries(lasting)));
  return tools;
}

/** A store of packages may have many files with several names; those that were read last are kept. */
const MAX_KNOWN = 1_000;
/** Two changes within a tick of the kernel's clock have the same time, also on a slow file system. */
const FRESH_MS = 3_000;

function isFresh(key: string): boolean {
  const changedAt = Number(key.slice(key.lastIndexOf(' ') + 1)) / 1_000_000;
  return changedAt > Date.now() - FRESH_MS;
}

/** The tools that differ from those of before, by their paths. */
export function changedTools(
  before: Tools,
  env: Readonly<Record<string, string>>,
  started: ReadonlySet<string> = new Set(),
): string[] {
  const now = userTools(env);
  const changed = [...differing(before.reached, now.reached), ...differing(before.links, now.links)];
  return [...new Set(changed)].filter((path) => !isNewAndHarmless(path, before.reached, env, started));
}

function differing(before: Seal, now: Seal): string[] {
  const changed: string[] = [];
  for (const path in before) if (before[path] !== now[path]) changed.push(path);
  for (const path in now) if (!(path in before)) changed.push(path);
  return changed;
}

/** A new one matters where it comes before another of its name, or a check starts it, which did without (`fast || slow`). */
export function isNewAndHarmless(
  path: string,
  before: Seal,
  env: Readonly<Record<string, string>>,
  started: ReadonlySet<string>,
): boolean {
  if (path in before || !isAbsolute(path)) return false;
  const module = /\/site-packages\/(\w+)/.exec(path)?.[1];
  if (module !== undefined) return globSync(`${INSTALLED}/${module}{,.py}`).length === 0;
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (started.has(name)) return false;
  const others = (env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, name));
  return !others.some((other) => other !== path && toolAt(other).reached !== GONE);
}

/** Where a machine has Python's modules; those in the person's home come first. */
const INSTALLED = '/usr/{,local/}lib/python3*/{dist,site}-packages';

const GONE = 'gone';

interface Tool {
  readonly reached: string;
  /** Null: it is no link. */
  readonly link: string | null;
}

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

function toolAt(path: string): Tool {
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
    return { reached: GONE, link: null };
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

function modulesIn(folder: string): string[] {
  const names = namesIn(folder, { recursive: true }).filter((name) => MODULE.test(name));
  return names.map((name) => join(folder, name));
}
