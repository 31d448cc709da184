/**
 * `leaveRun`, `giveAway`, `tellLeft`: what a host does with a run that another host has taken, or is to take: it stops its own agents
 * first, keeps what they did beyond the record on a branch of its own, and puts the workspace aside. Nothing is deleted.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
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

/** The agent acts against the record by now: it gets no time to end politely. */
const KILL = { softSignal: null, softMs: 0, termMs: 0, killEveryMs: 200, giveUpMs: 30_000 } as const;

export interface LeftRun {
  readonly runId: string;
  /** The branch with what only this host had; null: the record has everything. */
  readonly branch: string | null;
  readonly repository: string;
}

/** Says which work only this host had; the record speaks for the rest. */
export function tellLeft(left: LeftRun | null): void {
  if (left === null) return;
  const kept =
    left.branch === null
      ? 'nothing was lost'
      : `what only this host had is on branch ${left.branch} of ${left.repository}`;
  console.error(`mayday: another host has run ${left.runId}; its agents here were stopped, ${kept}`);
}

/** Null: this host has nothing of the run. */
export async function leaveRun(home: string, record: RunRecord, runId: string): Promise<LeftRun | null> {
  const workspace = await findWorkspace({ home, runId });
  if (workspace === null) return null;
  const state = await loadState(record, runId);
  await stopAgents(home, state);
  const branch = await salvage(home, workspace, state);
  await putAside(home, workspace);
  return { runId, branch, repository: workspace.repository };
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
  // The attendants look at this note too: an old one ends every agent of the run.
  await writeFile(leaseFile(home, runId), '1').catch(() => undefined);
  for (const { number } of attempts) {
    const handle = await findAttempt(attemptDir(home, runId, number));
    if (handle !== null) await stopLadder(handle, KILL);
  }
}

async function salvage(home: string, workspace: Workspace, state: RunState): Promise<string | null> {
  const { runId } = state;
  const number = ((await checkpointNumbers(workspace.shadow, runId)).at(-1) ?? 0) + 1;
  const taken = await takeCheckpoint({ home, runId, number, reason: 'another host has the run' }).catch(
    () => null,
  );
  if (taken === null || taken.state === 'failed') return null;
  const known = [workspace.baseTree, ...state.checkpoints.map(({ tree }) => tree)];
  if (known.includes(taken.tree)) return null;
  const branch = `mayday/${runId}-salvage-${taken.tree.slice(0, 8)}`;
  const message = `Work of run ${runId} that was not in the record when its host lost it`;
  const kept = await deliverBranch({ home, runId, branch, tree: taken.tree, message, at: state.createdAt });
  return kept.type === 'delivered' ? kept.ref : null;
}

async function putAside(home: string, workspace: Workspace): Promise<void> {
  const { runId, shadow, kind, path } = workspace;
  if (kind === 'worktree') {
    await mkdir(quarantinePath(home), { recursive: true, mode: 0o700 });
    await rename(path, join(quarantinePath(home), `${runId}.left-${randomUUID()}`)).catch(() => undefined);
  }
  // The other host counts checkpoints on from the last one in the record.
  for (const number of await checkpointNumbers(shadow, runId))
    await shadowGit(shadow, ['update-ref', '-d', `${checkpointRefs(runId)}/${number}`]);
  await rm(workspaceRecordPath(home, runId), { force: true });
}
