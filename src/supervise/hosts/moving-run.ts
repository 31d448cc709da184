/**
 * `movingRun`: readies a run that can move between hosts for its keeper: brings its files here if another host had them, ends the attempt
 * that was lost with that host, and notes the lease for the agents.
 */
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { leaseFile, runDir } from '../../act/run-files.ts';
import { runRepository } from '../../act/run-repository.ts';
import { findWorkspace } from '../../act/workspace/workspace.ts';
import { type Attempt, currentAttempt, type RunState } from '../../core/state/run-state.ts';
import { makeFolder } from '../../platform/file/make-folder.ts';
import type { ClaimedRun } from '../../record/contract/hosts.ts';
import type { KeeperOptions } from '../keeper.ts';
import type { KeptRun } from '../run-journal.ts';
import { bringRun } from './bring-run.ts';
import { leaveRun, tellLeft } from './leave-run.ts';
import { RunShipper } from './ship-run.ts';

interface TakenRun extends Omit<KeptRun, 'redactor'> {
  /** Seconds since the boot of the machine when the lease was asked for. */
  readonly askedAt: number;
  readonly left: ClaimedRun['left'];
}

/** Undefined: the run stays on this host. */
export async function movingRun(taken: TakenRun): Promise<KeeperOptions['moving']> {
  const { home, record, journal, env, signal, askedAt } = taken;
  const { hosts } = record;
  const { runId } = journal.state;
  if (hosts === null || (await hosts.placeOf(runId))?.movable !== true) return undefined;
  makeFolder(runDir(home, runId));
  const note = leaseFile(home, runId);
  const mark = join(runDir(home, runId), 'arriving');
  if (await isElsewhere(taken, mark)) {
    await tellLeft(home, record, await leaveRun(home, record, runId));
    await writeFile(mark, '');
    const lost = lostAttempt(journal.state);
    const facts = await bringRun(hosts, { home, state: journal.state, env, signal, now: () => Date.now() });
    for (const fact of facts) await journal.submit(fact);
    if (lost !== undefined) {
      const { number: attempt, exitCode, signal: by, outOfMemory, exitedAt } = lost;
      const exit = { exitCode, signal: by, outOfMemory, exitedAt, endedBy: 'host' } as const;
      await journal.submit({ type: 'attempt_ended', at: Date.now(), attempt, exit });
    }
    await rm(mark, { force: true });
  }
  await writeFile(note, String(askedAt));
  return { shipper: new RunShipper(home, { hosts, runId, fence: journal.fence }), leaseFile: note };
}

/**
 * The attempt whose work was not examined on its host. A living agent ended with the lease of that host, at the latest. The output of one
 * that had ended is there, with its work since the last checkpoint. If a person stopped it, the journal says so, and that is enough.
 */
function lostAttempt(state: RunState): Attempt | undefined {
  const last = currentAttempt(state);
  const isUnexamined = last?.examination === null && (last.startedAt ?? last.endedAt) !== null;
  return isUnexamined && last.endedBy !== 'person' ? last : undefined;
}

/** Also after a crash of this host while it brought the run here. */
async function isElsewhere({ home, journal, left }: TakenRun, mark: string): Promise<boolean> {
  const { state } = journal;
  if (state.life.type === 'ended') return false;
  if (left !== null || existsSync(mark)) return true;
  if (state.workspace === null) return !existsSync(runRepository(home, state));
  return (await findWorkspace({ home, runId: state.runId })) === null;
}
