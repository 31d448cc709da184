/**
 * `Seal`, `sealTree`, `sealFiles`, `cleanTree`, `brokenSeals`: guard what is in a check tree besides the candidate's own files
 * (dependencies, caches, copied settings). A seal holds the identity (inode, times, size) of each file after setup. Before the next use
 * all other files are deleted, and a sealed file that changed makes the tree unusable, because an agent or an earlier check wrote there.
 * No program can set back the time of change.
 */
import { readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import { MaydayError } from '../../platform/mayday-error.ts';
import { writeFileWhole } from '../../platform/file/durable-write.ts';
import { rawUnder } from '../../platform/git/raw-path.ts';
import { stampFiles } from '../checkpoint/stamp-files.ts';

/** Maps a raw path to an identity. A folder ends in a slash and has an empty identity. */
export type Seal = Record<string, string>;
/** Thousands of entries: a schema of each would take longer than the look at the files. */
export const Seal = z.custom<Seal>(
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every((identity) => typeof identity === 'string'),
);

/** The node_modules of a large project has some hundred thousand files. */
const MAX_ENTRIES = 1_000_000;
/** After this many folders, other work of the process gets a turn. */
const SLICE = 200;

export async function sealTree(
  root: string,
  tracked: ReadonlySet<string>,
  signal?: AbortSignal,
): Promise<Seal> {
  const listed = await listTree(root, signal);
  return await sealFiles(
    root,
    listed.filter((path) => !tracked.has(path)),
    signal,
  );
}

/** Deletes what neither the candidate nor the seal names. False: a sealed file changed. */
export async function cleanTree(
  root: string,
  tracked: ReadonlySet<string>,
  seal: Seal,
  signal?: AbortSignal,
): Promise<boolean> {
  const folders = new Set([...tracked, ...Object.keys(seal)].flatMap(foldersOf));
  const listed = await listTree(root, signal);
  for (const path of listed) {
    // Not `in`: an object without this key may still have a method of that name.
    const known = (path.endsWith('/') ? folders : tracked).has(path) || Object.hasOwn(seal, path);
    if (!known) await rm(rawUnder(root, path.replace(/\/$/, '')), { recursive: true, force: true });
  }
  if (Object.keys(seal).some((path) => tracked.has(path))) return false;
  return (await brokenSeals(root, seal, signal)).length === 0;
}

/** The sealed files that were deleted or written since. */
export async function brokenSeals(root: string, seal: Seal, signal?: AbortSignal): Promise<string[]> {
  const files = Object.keys(seal).filter((path) => !path.endsWith('/'));
  const stamps = await stampFiles(root, files, signal);
  return stamps.filter(({ rawPath, identity }) => identity !== seal[rawPath]).map(({ rawPath }) => rawPath);
}

export async function sealFiles(root: string, paths: readonly string[], signal?: AbortSignal): Promise<Seal> {
  const files = paths.filter((path) => !path.endsWith('/'));
  const stamps = await stampFiles(root, files, signal);
  return Object.fromEntries([
    ...paths.filter((path) => path.endsWith('/')).map((path) => [path, '']),
    ...stamps.map(({ rawPath, identity }) => [rawPath, identity]),
  ]) as Seal;
}

/** A tree without its seal is made anew. */
export async function writeSeal(file: string, seal: Seal): Promise<void> {
  await writeFileWhole(file, JSON.stringify(seal), { mode: 0o600 });
}

/**
 * Lists every entry below the root. It follows no links and leaves out `.git` at the top. Throws beyond the bound: what is not listed
 * would be neither sealed nor cleaned.
 */
export async function listTree(root: string, signal?: AbortSignal, max = MAX_ENTRIES): Promise<string[]> {
  const found: string[] = [];
  const open = [''];
  for (let folder = open.pop(), count = 0; folder !== undefined; folder = open.pop(), count += 1) {
    if (count % SLICE === SLICE - 1) {
      await nextTurn();
      signal?.throwIfAborted();
    }
    for (const entry of readdirSync(rawUnder(root, folder), { withFileTypes: true, encoding: 'buffer' })) {
      const path = `${folder}${entry.name.toString('latin1')}`;
      if (path === '.git') continue;
      if (found.length >= max) throw treeTooLarge(root, max);
      if (entry.isDirectory()) open.push(`${path}/`);
      found.push(entry.isDirectory() ? `${path}/` : path);
    }
  }
  return found;
}

function treeTooLarge(root: string, max: number): MaydayError {
  return new MaydayError('TREE_TOO_LARGE', `${root} has more than ${max} files and folders`, [
    ['did', 'ran no check in it: what cannot be listed cannot be guarded'],
    [
      'do',
      'leave out what the checks do not need: `copy` in mayday.yaml, caches and build output that setup makes',
    ],
  ]);
}

/** Each ends in a slash; the first is the topmost. */
export function foldersOf(path: string): string[] {
  const folders: string[] = [];
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1))
    folders.push(path.slice(0, at + 1));
  return folders;
}
