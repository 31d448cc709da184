/**
 * `releaseWorkspace`, `settleQuarantined`, `removeQuarantined`: put the workspace of an ended run away: working -> quarantined ->
 * removed. The first and the last step need a complete, verified checkpoint of the present files. Without one the workspace stays and is
 * reported.
 */
import { mkdirSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import type { RunKey } from '../checkpoint/take-base.ts';
import { join } from 'node:path';
import { basename } from 'node:path/posix';
import { z } from 'zod';
import { writeFileDurably } from '../../platform/file/durable-write.ts';
import { isFolder } from '../../platform/file/file-kind.ts';
import { namesIn } from '../../platform/file/find-paths.ts';
import { readState } from '../../platform/file/plain-file.ts';
import { removeFolder } from '../../platform/file/remove-folder.ts';
import { rawUnder } from '../../platform/git/raw-path.ts';
import {
  letGoOfWorktree,
  moveWorktree,
  removeWorktree,
  unlockWorktree,
} from '../../platform/git/worktree.ts';
import { checkPath, quarantinePath, runStatePath } from './home-layout.ts';
import { ignoredEntries } from './ignored-entries.ts';
import { isInstalled } from '../project/regenerable.ts';
import { saveEverything } from '../checkpoint/save-everything.ts';
import { findWorkspace, type Workspace } from './workspace.ts';

export type Released =
  | { readonly type: 'quarantined'; readonly path: string; readonly hasWork: boolean }
  | { readonly type: 'kept'; readonly path: string; readonly why: string }
  /** The run worked in place, or the workspace is already gone. */
  | { readonly type: 'nothing' };

export const Quarantined = z.object({ runId: z.string(), path: z.string(), at: z.number() });
export type Quarantined = z.infer<typeof Quarantined>;

export interface ReleaseSpec extends RunKey {
  /** True: the sink is `none`, and the person uses the worktree. */
  readonly keep: boolean;
  readonly now: number;
}

const KEPT_STATE = ['index', 'exclude', 'nested.json'];

export async function releaseWorkspace(spec: ReleaseSpec): Promise<Released> {
  const workspace = await findWorkspace(spec);
  const [, released] = await Promise.all([
    removeCheckTree(spec.home, spec.runId, workspace),
    releaseFolder(spec, workspace),
  ]);
  return released;
}

async function releaseFolder(spec: ReleaseSpec, workspace: Workspace | null): Promise<Released> {
  if (workspace === null || workspace.kind !== 'worktree') return { type: 'nothing' };
  const { path } = workspace;
  if (!isFolder(path)) {
    // An earlier call may have crashed after the move.
    const moved = readQuarantined(spec.home, spec.runId);
    if (moved !== null) await settleQuarantined(workspace, moved.path, spec.signal);
    return { type: 'nothing' };
  }
  if (spec.keep) {
    unlockWorktree(callFor(workspace, path, spec.signal));
    return { type: 'kept', path, why: 'its run delivers to no sink: the work is here' };
  }
  const saved = await saveEverything(workspace, path, spec.home, spec.signal);
  if (saved.type === 'not_saved') {
    await letGo(workspace, path, spec.signal);
    return { type: 'kept', path, why: saved.why };
  }
  const moved = await quarantine(spec, workspace);
  await settle(workspace, moved, saved.ignored, spec.signal);
  return { type: 'quarantined', path: moved, hasWork: saved.hasWork };
}

/** Frees the branch and the lock of a quarantined worktree and deletes its installed modules. A second call changes nothing. */
export async function settleQuarantined(
  workspace: Workspace,
  path: string,
  signal?: AbortSignal,
): Promise<void> {
  await settle(workspace, path, await ignoredEntries(workspace, path, signal).catch(() => []), signal);
}

async function settle(
  workspace: Workspace,
  path: string,
  ignored: readonly string[],
  signal: AbortSignal | undefined,
): Promise<void> {
  await letGo(workspace, path, signal);
  for (const rawPath of ignored)
    if (isInstalled(basename(rawPath))) await rm(rawUnder(path, rawPath), { recursive: true, force: true });
}

async function letGo(workspace: Workspace, path: string, signal: AbortSignal | undefined): Promise<void> {
  const { commonDir, baseCommit } = workspace;
  if (commonDir === null || baseCommit === null) return;
  // The repository may be gone: then there is no branch or lock to free.
  await letGoOfWorktree({ ...callFor(workspace, path, signal), commonDir, commit: baseCommit }).catch(
    () => null,
  );
}

function callFor({ repository }: Workspace, path: string, signal: AbortSignal | undefined) {
  return { repository, path, env: process.env, signal };
}

async function quarantine(spec: ReleaseSpec, workspace: Workspace): Promise<string> {
  const folder = quarantinePath(spec.home);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const note = join(folder, `${spec.runId}.json`);
  const to = join(folder, spec.runId);
  // The note is written before the move, so that after a crash the sweep finds the workspace at the old or the new place.
  await writeFileDurably(note, JSON.stringify({ runId: spec.runId, path: to, at: spec.now }));
  const call = callFor(workspace, workspace.path, spec.signal);
  if (await moveWorktree({ ...call, to }).catch(() => false)) return to;
  // The repository is gone or no longer knows the worktree: the folder is moved without git.
  if (!isFolder(to)) await rename(workspace.path, to);
  await removeWorktree(call).catch(() => null);
  return to;
}

/** The last step. A person may have worked in `entry.path` since, so it is saved once more. */
export async function removeQuarantined(
  home: string,
  entry: Quarantined,
  signal?: AbortSignal,
): Promise<Released> {
  const workspace = await findWorkspace({ home, runId: entry.runId });
  const { path } = entry;
  if (workspace === null) return { type: 'kept', path, why: 'there is no record of its workspace' };
  const saved = await saveEverything(workspace, path, home, signal);
  if (saved.type === 'not_saved') return { type: 'kept', path, why: saved.why };
  await removeWorktree(callFor(workspace, path, signal)).catch(() => null);
  await rm(path, { recursive: true, force: true });
  await rm(join(quarantinePath(home), `${entry.runId}.json`), { force: true });
  return { type: 'nothing' };
}

export function readQuarantined(home: string, runId: string): Quarantined | null {
  return readState(Quarantined, join(quarantinePath(home), `${runId}.json`));
}

/** A check tree is made from a tree in the shadow repository, so it holds no work to save. */
export async function removeCheckTree(
  home: string,
  runId: string,
  workspace: Workspace | null,
): Promise<void> {
  const state = workspace === null ? null : runStatePath(workspace.shadow, runId);
  // This also deletes temporary files of a killed process. A checkpoint needs only the files in `KEPT_STATE`, and those that it makes now.
  const names = state === null ? [] : namesIn(state).filter((name) => !KEPT_STATE.includes(name));
  const paths = names.map((name) => join(state ?? '', name));
  await Promise.all([checkPath(home, runId), ...paths].map(removeFolder));
}
