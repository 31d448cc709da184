/**
 * `deliverDirectory`: the sink `dir:PATH`. An empty or missing folder becomes the whole delivered tree, in one step. In a folder with
 * files, only the files that the work changed are written. A file with the content of the base is replaced. A file with other content
 * is replaced only if a person approves, and a copy of it is kept in the run's folder.
 *
 * Git writes the files, because it does not follow a link out of the folder. A note in the run's folder says what is being written, so
 * that a call after a crash does not take a half-written file for a file of the person. The note holds the time of the decision, which
 * no agent of the run can know, so no agent can forge it.
 */
import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { copyFile, lstat, mkdir, readdir, readFile, readlink, rename, rm, symlink } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { listedPaths } from '../../core/vocabulary/blockers/words.ts';
import { writeFileDurably } from '../../platform/file/durable-write.ts';
import { isInside, realOrSame } from '../../platform/file/inside.ts';
import { expectGit } from '../../platform/git/git.ts';
import { joinNul, rawToText, rawUnder } from '../../platform/git/raw-path.ts';
import { shadowGit } from '../../platform/git/shadow-git.ts';
import { runDir } from '../run-files.ts';
import { filesUnder, leadsThroughLink } from '../checkpoint/list-under.ts';
import { type TreeChange, treeChanges } from '../checkpoint/tree-changes.ts';
import { pathOfEntry, treeEntries } from '../checkpoint/tree-entries.ts';
import { openWorkspace, type Workspace } from '../workspace/workspace.ts';
import {
  approvalRequired,
  blockedDelivery,
  type DeliveryResult,
  type DeliverySpec,
  type IsApproved,
} from './delivery.ts';
import { forbiddenPlace } from './forbidden-place.ts';
import { FOR_THE_PERSON, makeFolder } from '../../platform/file/make-folder.ts';
import { sinkFailure } from './sink-failure.ts';
import { withIndex } from '../checkpoint/with-index.ts';

export interface DirectoryDelivery extends DeliverySpec {
  /** An absolute path. */
  readonly path: string;
  /** When the delivery was decided, milliseconds since the epoch. */
  readonly at: number;
  /** The folder that must hold the path; null: a person named the path, so it may be anywhere. */
  readonly confinedTo?: string | null;
  readonly isApproved: IsApproved;
}

export async function deliverDirectory(spec: DirectoryDelivery): Promise<DeliveryResult> {
  const workspace = await openWorkspace(spec);
  try {
    const wrong = await unfit(spec, workspace);
    if (wrong !== null) return blockedDelivery('sink_not_writable', [wrong]);
    const changes = await treeChanges(workspace.shadow, workspace.baseTree, spec.tree, spec.signal);
    if (changes.length === 0) return blockedDelivery('empty_change', ['Nothing differs from the base.']);
    const files = changes.map((change) => rawToText(change.rawPath));
    if ((await entriesOf(spec.path)).length === 0) await writeWhole(spec, workspace);
    else {
      const blocked = await writeChanges(spec, workspace, changes);
      if (blocked !== null) return blocked;
    }
    return { type: 'delivered', ref: spec.path, commit: null, files, warnings: [] };
  } catch (error) {
    return sinkFailure(error, spec.signal);
  }
}

/** Says why the folder cannot be the sink: a delivery over the workspace, the person's checkout or the record would destroy them. */
async function unfit(
  { path, home, confinedTo = null }: DirectoryDelivery,
  workspace: Workspace,
): Promise<string | null> {
  const forbidden = await forbiddenPlace(path, { confinedTo });
  if (forbidden !== null) return forbidden;
  const there = await lstat(path).catch(() => null);
  if (there !== null && !there.isDirectory()) return `${path} is not a folder.`;
  const real = realOrSame(path);
  if (real === sep) return 'The root of the file system is no place to deliver to.';
  for (const [what, taken] of [
    ['the record', home],
    ['the workspace of the run', workspace.path],
    ['your checkout', workspace.repository],
  ] as const) {
    const own = realOrSame(taken);
    if (isInside(own, real)) return `${path} holds ${what}.`;
    if (what !== 'your checkout' && isInside(real, own)) return `${path} lies in ${what}.`;
  }
  return null;
}

async function entriesOf(path: string): Promise<string[]> {
  return await readdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
}

async function writeWhole(spec: DirectoryDelivery, { shadow }: Workspace): Promise<void> {
  const fresh = join(dirname(spec.path), `.mayday-${spec.runId}-delivery`);
  makeFolder(dirname(spec.path), FOR_THE_PERSON);
  await rm(fresh, { recursive: true, force: true });
  await mkdir(fresh);
  await checkout(spec, shadow, fresh, null);
  // `rename` replaces an empty folder and fails for any other.
  await rename(fresh, spec.path);
}

async function writeChanges(
  spec: DirectoryDelivery,
  { shadow, baseTree }: Workspace,
  changes: readonly TreeChange[],
): Promise<DeliveryResult | null> {
  const obstacles = await obstaclesIn(spec.path, changes);
  if (obstacles.length > 0)
    return blockedDelivery('sink_not_writable', [
      `${spec.path} holds what is not a file where the work has one; move it away: ${listedPaths(obstacles)}`,
    ]);
  const note = join(runDir(spec.home, spec.runId), 'directory-delivery.json');
  const begun = await readFile(note, 'utf8').catch(() => '');
  const mark = JSON.stringify({ tree: spec.tree, path: spec.path, at: spec.at });
  const foreign = begun === mark ? [] : await foreignPaths(spec, shadow, baseTree, changes);
  if (foreign.length > 0) {
    const finding = { source: 'directory', path: spec.path, files: foreign.map(rawToText) } as const;
    if (!spec.isApproved(finding)) return approvalRequired(finding);
    await keepReplaced(spec, foreign);
  }
  await writeFileDurably(note, mark);
  // Deletions come first, because a file may take the name of a deleted folder.
  for (const { type, rawPath } of changes)
    if (type === 'deleted' && (await fileAt(spec.path, rawPath)) !== null)
      await rm(rawUnder(spec.path, rawPath), { force: true });
  const present = changes.filter(({ type }) => type !== 'deleted').map(({ rawPath }) => rawPath);
  await checkout(spec, shadow, spec.path, present);
  return null;
}

/** Raw paths of files whose content is neither that of the base nor that of the work. */
async function foreignPaths(
  spec: DirectoryDelivery,
  shadow: string,
  baseTree: string,
  changes: readonly TreeChange[],
): Promise<string[]> {
  const base = await objectsOf(shadow, baseTree, spec.signal);
  const wanted = await objectsOf(shadow, spec.tree, spec.signal);
  const foreign: string[] = [];
  for (const { rawPath } of changes) {
    const full = rawUnder(spec.path, rawPath);
    const facts = await fileAt(spec.path, rawPath);
    if (facts === null) continue;
    const object = blobOf(
      facts.isSymbolicLink() ? await readlink(full, { encoding: 'buffer' }) : await readFile(full),
    );
    if (object !== base.get(rawPath) && object !== wanted.get(rawPath)) foreign.push(rawPath);
  }
  return foreign;
}

/** The file or link at this path. Null for a folder, and for a path through a link, which is outside the sink. */
async function fileAt(root: string, rawPath: string): Promise<Stats | null> {
  if (await leadsThroughLink(root, rawPath)) return null;
  const facts = await lstat(rawUnder(root, rawPath)).catch(() => null);
  return facts === null || facts.isDirectory() ? null : facts;
}

/** The id that git gives to the content. Shadow repositories use SHA-1. */
function blobOf(content: Buffer): string {
  return createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');
}

async function objectsOf(shadow: string, tree: string, signal?: AbortSignal): Promise<Map<string, string>> {
  const entries = await treeEntries(shadow, tree, signal);
  return new Map(entries.map((entry) => [pathOfEntry(entry), entry.split(/[ \t]/, 3)[2] as string]));
}

async function keepReplaced(
  { home, runId, path }: DirectoryDelivery,
  foreign: readonly string[],
): Promise<void> {
  const kept = join(runDir(home, runId), 'replaced');
  for (const rawPath of foreign) {
    const [from, to] = [rawUnder(path, rawPath), rawUnder(kept, rawPath)];
    await mkdir(to.subarray(0, to.lastIndexOf('/')), { recursive: true });
    await rm(to, { force: true });
    if ((await lstat(from)).isSymbolicLink()) await symlink(await readlink(from, { encoding: 'buffer' }), to);
    else await copyFile(from, to);
  }
}

/** `rawPaths` is null: write all files of the tree. */
async function checkout(
  spec: DirectoryDelivery,
  shadow: string,
  workTree: string,
  rawPaths: readonly string[] | null,
): Promise<void> {
  const folder = runDir(spec.home, spec.runId);
  await mkdir(folder, { recursive: true });
  await withIndex(folder, async (indexFile) => {
    const call = { workTree, indexFile, signal: spec.signal };
    expectGit(await shadowGit(shadow, ['read-tree', spec.tree], call), 'reading the tree to deliver');
    const some = rawPaths === null ? ['--all'] : ['-z', '--stdin'];
    const written = await shadowGit(shadow, ['checkout-index', '--force', ...some], {
      ...call,
      ...(rawPaths === null ? {} : { input: joinNul(rawPaths) }),
    });
    expectGit(written, `writing to ${spec.path}`);
  });
}

/**
 * Finds what is in the place of a file to write and is no file: a folder with other files, a link, a socket. Writing would delete it, so it
 * is named for the person and left there.
 */
async function obstaclesIn(root: string, changes: readonly TreeChange[]): Promise<readonly string[]> {
  const goes = new Set(changes.filter(({ type }) => type === 'deleted').map(({ rawPath }) => rawPath));
  const found = new Set<string>();
  for (const { type, rawPath } of changes) {
    if (type === 'deleted') continue;
    const onTheWay = await notAFolder(root, rawPath, goes);
    if (onTheWay !== null) found.add(onTheWay);
    else if (await holdsMore(root, rawPath, goes)) found.add(`${rawToText(rawPath)} (a folder)`);
  }
  return [...found];
}

/** Names a parent of the path that is no folder and is not deleted by the change. */
async function notAFolder(root: string, rawPath: string, goes: ReadonlySet<string>): Promise<string | null> {
  const segments = rawPath.split('/');
  for (let depth = 1; depth < segments.length; depth += 1) {
    const above = segments.slice(0, depth).join('/');
    const facts = await lstat(rawUnder(root, above)).catch(() => null);
    if (facts === null || goes.has(above)) return null;
    if (!facts.isDirectory())
      return `${rawToText(above)} (a ${facts.isSymbolicLink() ? 'link' : 'file'}, not a folder)`;
  }
  return null;
}

async function holdsMore(root: string, rawPath: string, goes: ReadonlySet<string>): Promise<boolean> {
  const facts = await lstat(rawUnder(root, rawPath)).catch(() => null);
  if (facts === null || facts.isFile() || facts.isSymbolicLink()) return false;
  if (!facts.isDirectory()) return true;
  return (await filesUnder(root, rawPath)).some((path) => !goes.has(path));
}
