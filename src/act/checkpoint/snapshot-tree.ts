/**
 * `snapshotTree`: saves a directory as a git tree in the shadow repository: tracked, changed and untracked files, byte for byte. Every
 * file that could not be saved is listed.
 *
 * Git finds the changed files with the help of its index, Mayday decides which of them may be stored, and git stores them. All of it
 * uses a copy of the index, which replaces the original at the end, so that a crash leaves neither a lock nor half an index.
 */
import { closeSync, existsSync, mkdirSync, openSync, readSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { copyGitIndex } from '../../platform/git/copy-git-index.ts';
import { lineOf } from '../../platform/git/git.ts';
import type { GitResult } from '../../platform/git/start-git.ts';
import { rawToText, splitNul } from '../../platform/git/raw-path.ts';
import { shadowGit } from '../../platform/git/shadow-git.ts';
import type { MissingFile } from './checkpoint.ts';
import { listNested } from './list-nested.ts';
import { type FileStamp, stampFiles, unstable } from './stamp-files.ts';
import { type IndexSpec, StorageRefused, updateIndex } from './update-index.ts';
import { withIndex } from './with-index.ts';

export interface SnapshotSpec extends IndexSpec {
  readonly excludesFile: string | null;
  readonly maxFileBytes: number;
  /** Save only these raw paths; absent: all files that are not ignored. */
  readonly only?: readonly string[];
}

export type Snapshot =
  | {
      readonly type: 'taken';
      readonly tree: string;
      readonly files: number;
      readonly missing: readonly MissingFile[];
      /** Repositories inside the workspace that this snapshot found first, as raw paths with a slash at the end. */
      readonly nested: readonly string[];
      /** What differs from the snapshot before, as raw paths. */
      readonly changed: readonly string[];
    }
  | { readonly type: 'failed'; readonly problem: string };

/** A file that still changes after this many rounds is stored as it is and listed. */
const MAX_ROUNDS = 3;

export async function snapshotTree(spec: SnapshotSpec): Promise<Snapshot> {
  const folder = dirname(spec.indexFile);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return await withIndex(folder, async (index) => {
    const known = await copyGitIndex(spec.indexFile, index).then(
      () => true,
      () => false,
    );
    let snapshot = await fillIndex({ ...spec, indexFile: index });
    if (snapshot.type === 'failed' && known) {
      // The index may be damaged: the snapshot is tried again, more slowly, without it.
      rmSync(index, { force: true });
      snapshot = await fillIndex({ ...spec, indexFile: index });
    }
    if (snapshot.type === 'taken') renameSync(index, spec.indexFile);
    return snapshot;
  });
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
      before = unstable(before, await stampFiles(spec.workTree, round, spec.signal));
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
  const { shadow, indexFile, signal } = spec;
  const written = await shadowGit(shadow, ['write-tree'], { indexFile, signal });
  if (written.exitCode !== 0) return { type: 'failed', problem: problemOf(written) };
  const { present, gone, nested } = found;
  const files = countEntries(indexFile);
  return { type: 'taken', tree: lineOf(written), files, missing, nested, changed: [...present, ...gone] };
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
  // Git lists a deleted file twice, as deleted and as changed.
  return { present: [...present].filter((path) => !gone.has(path)), gone: [...gone], nested: repositories };
}

/** Git ends with exit code 0 although it could not read a directory: only the warning tells. */
export function warningsOf(result: GitResult): MissingFile[] {
  return result.stderr
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const quoted = /'([^']*)'/.exec(line)?.[1] ?? '';
      return { path: quoted, why: line.slice(0, 300) };
    });
}

/** Bytes 8 to 11 of an index file hold the number of entries. */
function countEntries(indexFile: string): number {
  if (!existsSync(indexFile)) return 0;
  const head = Buffer.alloc(12);
  const file = openSync(indexFile, 'r');
  try {
    readSync(file, head);
  } finally {
    closeSync(file);
  }
  return head.readUInt32BE(8);
}

export function problemOf(result: GitResult): string {
  const how = result.killedBy ? `ended by ${result.killedBy}` : `exit ${result.exitCode}`;
  return `git: ${how}: ${result.stderr.trim().slice(0, 500)}`;
}
