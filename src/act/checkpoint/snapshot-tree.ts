/**
 * One snapshot of a directory as a git tree in the shadow repository: tracked, changed and untracked files, byte for
 * byte. What could not be saved is listed, never dropped in silence.
 *
 * Git finds what changed (its index remembers what it saw); we decide what may be stored, then git stores it. The index
 * is a copy until the end, so that a crash leaves neither a lock nor half an index.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { copyGitIndex } from '../../platform/git/copy-git-index.ts';
import { type GitResult, lineOf } from '../../platform/git/git.ts';
import { rawToText, splitNul } from '../../platform/git/raw-path.ts';
import { shadowGit } from '../../platform/git/shadow-git.ts';
import { listNested } from './list-nested.ts';
import { type FileStamp, stampFiles, unstable } from './stamp-files.ts';
import { StorageRefused, updateIndex } from './update-index.ts';

export interface MissingFile {
  readonly path: string;
  readonly why: string;
  /** Nothing of the work is lost with it: it cannot be delivered at all, or it was missing before the work and is unchanged. */
  readonly beside?: true | undefined;
  /** What the file looked like, where it could be seen: tells whether it changed since. */
  readonly identity?: string | undefined;
}

export interface SnapshotSpec {
  readonly shadow: string;
  readonly workTree: string;
  readonly indexFile: string;
  readonly excludesFile: string | null;
  readonly maxFileBytes: number;
  /** Only these raw paths, instead of everything that is not ignored. */
  readonly only?: readonly string[];
  readonly signal?: AbortSignal | undefined;
}

export type Snapshot =
  | {
      readonly type: 'taken';
      readonly tree: string;
      readonly files: number;
      readonly missing: readonly MissingFile[];
      /** Repositories inside the workspace that were seen for the first time, as raw paths ending with a slash. */
      readonly nested: readonly string[];
    }
  | { readonly type: 'failed'; readonly problem: string };

/** A file that is still written after this many looks is stored as it is and listed. */
const MAX_ROUNDS = 3;
/** From here on one more git process is cheaper than looking at each file again. */
const MANY_FILES = 2_000;

export async function snapshotTree(spec: SnapshotSpec): Promise<Snapshot> {
  await mkdir(dirname(spec.indexFile), { recursive: true, mode: 0o700 });
  const index = `${spec.indexFile}.${randomUUID()}`;
  try {
    const known = await copyGitIndex(spec.indexFile, index).then(
      () => true,
      () => false,
    );
    const snapshot = await fillIndex({ ...spec, indexFile: index });
    if (snapshot.type === 'failed' && known) {
      // A damaged index costs one slow snapshot, not the checkpoint.
      await rm(index, { force: true });
      const again = await fillIndex({ ...spec, indexFile: index });
      if (again.type === 'taken') await rename(index, spec.indexFile);
      return again;
    }
    if (snapshot.type === 'taken') await rename(index, spec.indexFile);
    return snapshot;
  } finally {
    await rm(index, { force: true });
    await rm(`${index}.lock`, { force: true });
  }
}

async function fillIndex(spec: SnapshotSpec): Promise<Snapshot> {
  const missing: MissingFile[] = [];
  const found = spec.only
    ? { present: spec.only, gone: [], nested: [] }
    : await findChanges(spec, missing).catch((error: unknown) => error as Error);
  if (found instanceof Error) {
    spec.signal?.throwIfAborted();
    return { type: 'failed', problem: found.message };
  }
  const stamps = await stampFiles(spec.workTree, found.present, spec.signal);
  const store: FileStamp[] = [];
  const dropped: string[] = [...found.gone];
  for (const stamp of stamps) {
    if (stamp.type === 'gone' || stamp.type === 'directory') dropped.push(stamp.rawPath);
    else if (stamp.type === 'special') {
      dropped.push(stamp.rawPath);
      missing.push({
        path: rawToText(stamp.rawPath),
        why: 'neither a file nor a link (pipe, socket or device)',
        beside: true,
      });
    } else if (stamp.bytes > spec.maxFileBytes) {
      const { identity } = stamp;
      const why = `larger than ${spec.maxFileBytes} bytes`;
      missing.push({ path: rawToText(stamp.rawPath), why, identity });
    } else store.push(stamp);
  }
  try {
    let round = store.map((stamp) => stamp.rawPath);
    missing.push(...(await updateIndex(spec, round, dropped)));
    let before = store;
    for (let turn = 1; round.length > 0; turn += 1) {
      before = await changedSince(spec, before);
      round = before.map((stamp) => stamp.rawPath);
      if (turn === MAX_ROUNDS) break;
      if (round.length > 0) missing.push(...(await updateIndex(spec, round, [])));
    }
    for (const path of round)
      missing.push({ path: rawToText(path), why: 'still written to; the saved copy may mix two versions' });
  } catch (error) {
    if (error instanceof StorageRefused) return { type: 'failed', problem: error.message };
    throw error;
  }
  return await finish(spec, missing, found.nested);
}

/** Git noted what each file looked like when it was read: for many files it compares faster than we can. */
async function changedSince(spec: SnapshotSpec, before: readonly FileStamp[]): Promise<FileStamp[]> {
  const { shadow, workTree, indexFile, signal } = spec;
  const paths = before.map((stamp) => stamp.rawPath);
  if (before.length < MANY_FILES) return unstable(before, await stampFiles(workTree, paths, signal));
  const listing = await shadowGit(shadow, ['ls-files', '-z', '--modified'], { workTree, indexFile, signal });
  const stored = new Set(paths);
  const changed = splitNul(listing.stdout).filter((path) => stored.has(path));
  return await stampFiles(workTree, [...new Set(changed)], signal);
}

async function finish(
  spec: SnapshotSpec,
  missing: readonly MissingFile[],
  nested: readonly string[],
): Promise<Snapshot> {
  const { shadow, indexFile, signal } = spec;
  const written = await shadowGit(shadow, ['write-tree'], { indexFile, signal });
  if (written.exitCode !== 0) return { type: 'failed', problem: problemOf(written) };
  return { type: 'taken', tree: lineOf(written), files: await countEntries(indexFile), missing, nested };
}

interface Changes {
  readonly present: readonly string[];
  readonly gone: readonly string[];
  readonly nested: readonly string[];
}

async function findChanges(spec: SnapshotSpec, missing: MissingFile[]): Promise<Changes> {
  const { shadow, workTree, indexFile, signal } = spec;
  const config = spec.excludesFile === null ? [] : [`core.excludesFile=${spec.excludesFile}`];
  const listing = await shadowGit(
    shadow,
    ['ls-files', '-z', '-t', '--others', '--modified', '--deleted', '--exclude-standard'],
    { workTree, indexFile, config, signal },
  );
  if (listing.exitCode !== 0) throw new Error(problemOf(listing));
  missing.push(...warningsOf(listing));
  const present = new Set<string>();
  const gone = new Set<string>();
  const repositories: string[] = [];
  for (const entry of splitNul(listing.stdout)) {
    const path = entry.slice(2);
    if (entry.startsWith('R ')) gone.add(path);
    else if (path.endsWith('/')) {
      const nested = await listNested({ shadow, workTree, rawPath: path, config, signal });
      for (const file of nested.files) present.add(file);
      repositories.push(...nested.repositories);
      missing.push(...nested.missing);
    } else present.add(path);
  }
  // A deleted file is listed twice, as deleted and as changed.
  return { present: [...present].filter((path) => !gone.has(path)), gone: [...gone], nested: repositories };
}

/** Git goes on with exit 0 when it may not read a directory: the warning is all there is. */
export function warningsOf(result: GitResult): MissingFile[] {
  return result.stderr
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const quoted = /'([^']*)'/.exec(line)?.[1] ?? '';
      return { path: quoted, why: line.slice(0, 300) };
    });
}

/** The number of entries stands in bytes 8 to 11 of an index file. */
async function countEntries(indexFile: string): Promise<number> {
  const file = await open(indexFile).catch(() => null);
  if (file === null) return 0;
  try {
    const { buffer } = await file.read(Buffer.alloc(12), 0, 12, 0);
    return buffer.readUInt32BE(8);
  } finally {
    await file.close();
  }
}

export function problemOf(result: GitResult): string {
  const how = result.killedBy ? `ended by ${result.killedBy}` : `exit ${result.exitCode}`;
  return `git: ${how}: ${result.stderr.trim().slice(0, 500)}`;
}
