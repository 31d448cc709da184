/**
 * `takeCheckpoint`, `takeCheckpointIn`: save the workspace, untracked files included. For a number that exists, they return the existing
 * checkpoint. `snapshotWorkspace`: only its tree.
 */
import type { CheckpointKey } from './verify-checkpoint.ts';
import { randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { writeFileDurably } from '../../platform/file/durable-write.ts';
import { readState } from '../../platform/file/plain-file.ts';
import { lineOf } from '../../platform/git/git.ts';
import { shadowGit } from '../../platform/git/shadow-git.ts';
import {
  type Checkpoint,
  type CheckpointNotes,
  checkpointCommit,
  checkpointNumbers,
  failedCheckpoint,
  messageOf,
  readCheckpoint,
  type SessionCopy,
} from './checkpoint.ts';
import { checkpointRefs, runStatePath } from '../workspace/home-layout.ts';
import { unsavedHistories } from './list-nested.ts';
import { saveExtras } from './save-extras.ts';
import { problemOf, type Snapshot, snapshotTree } from './snapshot-tree.ts';
import type { MissingFile } from './checkpoint.ts';
import { openWorkspace } from '../workspace/workspace.ts';

export interface CheckpointSpec extends CheckpointKey {
  readonly reason: string;
  /** Ignored files to save (`.env.local`), as paths or globs. They are saved beside the tree and never delivered. */
  readonly ignoredToInclude?: readonly string[];
  /** Further ignored files to save, by their exact raw paths. */
  readonly ignoredRawPaths?: readonly string[];
  /** The agent's own session files, in any folder; they are copied. */
  readonly sessionFiles?: readonly string[];
  readonly notes?: CheckpointNotes | null;
  readonly maxFileBytes?: number;
  /** True: where the checkpoint before it is complete and holds the same, that one is returned. */
  readonly orEqual?: boolean;
}

/** Source, assets and small databases are smaller. A model file or a core dump would fill the disk with every change. */
export const MAX_FILE_BYTES = 512 * 1024 * 1024;
const MAX_LISTED_MISSING = 1_000;

export async function takeCheckpoint(spec: CheckpointSpec): Promise<Checkpoint> {
  return await takeCheckpointIn(await openWorkspace(spec), spec);
}

/** For a workspace without a record (the base is saved before it is written), or in another place. */
export async function takeCheckpointIn(
  workspace: { readonly path: string; readonly shadow: string },
  spec: CheckpointSpec,
): Promise<Checkpoint> {
  const { runId, number, signal } = spec;
  const { shadow, path: workTree } = workspace;
  const earlier = await readCheckpoint(shadow, runId, number, signal);
  if (earlier !== null) return earlier;
  const state = runStatePath(shadow, runId);
  const maxFileBytes = spec.maxFileBytes ?? MAX_FILE_BYTES;
  const snapshot = await snapshotWorkspace(workspace, { runId, maxFileBytes, signal }).catch(
    (error: unknown): Snapshot => {
      signal?.throwIfAborted();
      return { type: 'failed', problem: error instanceof Error ? error.message : String(error) };
    },
  );
  if (snapshot.type === 'failed') return failedCheckpoint(spec, snapshot.problem);
  const nested = await rememberNested(join(state, 'nested.json'), snapshot.nested);
  const extras = await saveExtras({
    shadow,
    workTree,
    state,
    ignoredToInclude: spec.ignoredToInclude ?? [],
    ignoredRawPaths: spec.ignoredRawPaths ?? [],
    sessionFiles: spec.sessionFiles ?? [],
    maxFileBytes,
    signal,
  });
  const base =
    number === 0 || snapshot.missing.length === 0 ? null : await readCheckpoint(shadow, runId, 0, signal);
  const besides = [...(await unsavedHistories(workTree, nested)), ...extras.missing];
  const missing = [
    ...snapshot.missing.map((file) => (wasMissing(base, file) ? { ...file, beside: true as const } : file)),
    // Sessions, named ignored files and histories of nested repositories are never delivered: no work is missing without them.
    ...besides.map((file) => ({ ...file, beside: true as const })),
  ];
  return await commit(shadow, spec, {
    tree: snapshot.tree,
    files: snapshot.files,
    missing,
    extras: extras.commit,
    session: extras.session,
  });
}

/** The workspace of a run as it is now, without a checkpoint. */
export async function snapshotWorkspace(
  { shadow, path }: { readonly path: string; readonly shadow: string },
  { runId, maxFileBytes = MAX_FILE_BYTES, signal }: Pick<CheckpointSpec, 'runId' | 'maxFileBytes' | 'signal'>,
): Promise<Snapshot> {
  const state = runStatePath(shadow, runId);
  const [indexFile, excludesFile] = [join(state, 'index'), join(state, 'exclude')];
  return await snapshotTree({ shadow, workTree: path, indexFile, excludesFile, maxFileBytes, signal });
}

function wasMissing(base: Checkpoint | null, file: MissingFile): boolean {
  return (base?.missing ?? []).some(
    ({ path, why, identity }) => path === file.path && why === file.why && identity === file.identity,
  );
}

interface Parts {
  readonly tree: string;
  readonly files: number;
  readonly missing: Checkpoint['missing'];
  readonly extras: string | null;
  readonly session: readonly SessionCopy[];
}

async function commit(shadow: string, spec: CheckpointSpec, parts: Parts): Promise<Checkpoint> {
  const { runId, number, signal } = spec;
  const message = {
    number,
    state: parts.missing.length === 0 ? ('complete' as const) : ('partial' as const),
    files: parts.files,
    // Missing files of the work come first, so that the limit does not hide them.
    missing: parts.missing
      .toSorted((a, b) => Number(a.beside ?? false) - Number(b.beside ?? false))
      .slice(0, MAX_LISTED_MISSING),
    reason: spec.reason,
    notes: spec.notes ?? null,
    session: [...parts.session],
    hasExtras: parts.extras !== null,
  };
  const previous = checkpointNumbers(shadow, runId).findLast((other) => other < number);
  const parent = previous === undefined ? null : checkpointCommit(shadow, runId, previous);
  if (
    spec.orEqual === true &&
    previous !== undefined &&
    parts.missing.length === 0 &&
    parts.extras === null
  ) {
    const before = await readCheckpoint(shadow, runId, previous, signal);
    if (before?.state === 'complete' && before.tree === parts.tree) return before;
  }
  const parents = [parent, parts.extras].filter((id) => id !== null).flatMap((id) => ['-p', id]);
  const made = await shadowGit(shadow, ['commit-tree', parts.tree, ...parents], {
    input: messageOf(message),
    signal,
  });
  if (made.exitCode !== 0) return failedCheckpoint(spec, problemOf(made));
  const id = lineOf(made);
  const ref = `${checkpointRefs(runId)}/${number}`;
  if (!(await linkRef(join(shadow, ref), id, runStatePath(shadow, runId)))) {
    const noted = await shadowGit(shadow, ['update-ref', ref, id, '0'.repeat(id.length)], { signal });
    // Another process has just taken the same number: its checkpoint counts.
    if (noted.exitCode !== 0)
      return (
        (await readCheckpoint(shadow, runId, number, signal)) ?? failedCheckpoint(spec, problemOf(noted))
      );
  }
  return { ...message, commit: id, tree: parts.tree, problem: null };
}

/**
 * Makes a ref, which is a file: a killed git would leave a lock. A link appears whole and never replaces another. False: it could not be
 * made here, and git tells why.
 */
async function linkRef(ref: string, commit: string, state: string): Promise<boolean> {
  const file = join(state, `ref-${randomUUID()}`);
  try {
    mkdirSync(dirname(ref), { recursive: true });
    await writeFile(file, `${commit}\n`, { flag: 'wx', flush: true });
    linkSync(file, ref);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(file, { force: true });
  }
}

const Paths = z.array(z.string());

/** Git no longer reports a nested repository once its files are in the index, so Mayday remembers it in a file. */
async function rememberNested(file: string, found: readonly string[]): Promise<readonly string[]> {
  const known = new Set(readState(Paths, file));
  const size = known.size;
  for (const path of found) known.add(path);
  if (known.size > size) await writeFileDurably(file, JSON.stringify([...known]));
  return [...known];
}
