/**
 * `leaveRun`: what a host does with a run that another host has taken: it stops its own agents, keeps what they did beyond the record on
 * a branch, and puts a worktree aside. No work is deleted; checkpoint refs and the workspace record of this host go. `tellLeft` says it.
 * `giveAway`: stops the agents of a run that another host is to take, and hands the lease over.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { takeCheckpoint } from '../../act/checkpoint/take-checkpoint.ts';
import { checkpointNumbers } from '../../act/checkpoint/checkpoint.ts';
import { deliverBranch } from '../../act/deliver/deliver-branch.ts';
import { attemptDir, leaseFile } from '../../act/run-files.ts';
import { checkpointRefs, quarantinePath, workspaceRecordPath } from '../../act/workspace/home-layout.ts';
import { findWorkspace, type Workspace } from '../../act/workspace/workspace.ts';
import type { RunState } from '../../core/state/run-state.ts';
import { findAttempt } from '../../platform/container/container.ts';
import { stopLadder } from '../../platform/container/stop.ts';
import { shadowGit } from '../../platform/git/shadow-git.ts';
import type { RunRecord } from '../../record/contract.ts';
import { loadState } from '../load-state.ts';
import { postWord } from '../mail/mail.ts';

/** The agent acts against the record by now: it gets no time to end politely. */
const KILL = { softSignal: null, softMs: 0, termMs: 0, killEveryMs: 200, giveUpMs: 30_000 } as const;

export interface LeftRun {
  readonly runId: string;
  /** Where the work is that only this host had. */
  readonly kept:
    | { readonly type: 'nothing_new' }
    | { readonly type: 'branch'; readonly ref: string; readonly repository: string }
    | { readonly type: 'unsaved'; readonly folder: string };
}

/** Says which work only this host had, in the story of the run too; the record speaks for the rest. */
export async function tellLeft(home: string, record: RunRecord, left: LeftRun | null): Promise<void> {
  if (left === null) return;
  if (left.kept.type === 'branch') {
    const { ref, repository } = left.kept;
    await postWord({ home, record }, left.runId, {
      type: 'work_salvaged',
      host: hostname(),
      ref,
      repository,
    });
  }
  console.error(
    `mayday: another host has run ${left.runId}; its agents here were stopped, ${keptWords(left.kept)}`,
  );
}

function keptWords(kept: LeftRun['kept']): string {
  switch (kept.type) {
    case 'nothing_new':
      return 'nothing was lost';
    case 'branch':
      return `what only this host had is on branch ${kept.ref} of ${kept.repository}`;
    case 'unsaved':
      return `what only this host had could not be saved on a branch; it lies in ${kept.folder}`;
  }
}

/** Null: this host has nothing of the run. */
export async function leaveRun(home: string, record: RunRecord, runId: string): Promise<LeftRun | null> {
  const workspace = await findWorkspace({ home, runId });
  if (workspace === null) return null;
  const state = await loadState(record, runId);
  await stopAgents(home, state);
  const salvaged = await salvage(home, workspace, state);
  const folder = await putAside(home, workspace);
  return { runId, kept: salvaged ?? { type: 'unsaved', folder } };
}

/** Stops the agents of a run that this host holds, and lets the next host take it from its last checkpoint. */
export async function giveAway(home: string, record: RunRecord, runId: string): Promise<void> {
  const lease = await record.lease(runId);
  const place = await record.hosts?.placeOf(runId);
  if (lease === null || !lease.isHere || place?.movable !== true) return;
  await stopAgents(home, await loadState(record, runId));
  await record.hosts?.handOver(runId, lease.fence);
}

async function stopAgents(home: string, { runId, attempts }: RunState): Promise<void> {
  // The note holds seconds since boot: this renewal is long past, so each attendant ends its agent.
  await writeFile(leaseFile(home, runId), '1').catch(() => undefined);
  for (const { number } of attempts) {
    const handle = await findAttempt(attemptDir(home, runId, number));
    if (handle !== null) await stopLadder(handle, KILL);
  }
}

/** Null: no branch could be made. */
async function salvage(home: string, workspace: Workspace, state: RunState): Promise<LeftRun['kept'] | null> {
  const { runId } = state;
  const number = (checkpointNumbers(workspace.shadow, runId).at(-1) ?? 0) + 1;
  const taken = await takeCheckpoint({ home, runId, number, reason: 'another host has the run' }).catch(
    () => null,
  );
  if (taken === null || taken.state === 'failed') return null;
  const known = [workspace.baseTree, ...state.checkpoints.map(({ tree }) => tree)];
  if (known.includes(taken.tree)) return taken.state === 'complete' ? { type: 'nothing_new' } : null;
  const branch = `mayday/${runId}-salvage-${taken.tree.slice(0, 8)}`;
  const message = `Work of run ${runId} that was not in the record when its host lost it`;
  // A fixed time: to salvage twice makes the same commit.
  const kept = await deliverBranch({ home, runId, branch, tree: taken.tree, message, at: state.createdAt });
  return kept.type === 'delivered'
    ? { type: 'branch', ref: kept.ref, repository: workspace.repository }
    : null;
}

/** Returns the folder with the files; a workspace in place stays where it is. */
async function putAside(home: string, workspace: Workspace): Promise<string> {
  const { runId, shadow, kind, path } = workspace;
  let folder = path;
  if (kind === 'worktree') {
    const aside = join(quarantinePath(home), `${runId}.left-${randomUUID()}`);
    await mkdir(quarantinePath(home), { recursive: true, mode: 0o700 });
    folder = await rename(path, aside).then(
      () => aside,
      () => path,
    );
  }
  // The other host counts checkpoints on from the last one in the record.
  for (const number of checkpointNumbers(shadow, runId))
    await shadowGit(shadow, ['update-ref', '-d', `${checkpointRefs(runId)}/${number}`]);
  await rm(workspaceRecordPath(home, runId), { force: true });
  return folder;
}
