/** `hearByKeeper`, `hearElsewhere`: wait until the keeper of a run has read its mailbox; a run of this host without a keeper gets one. */
import { setTimeout as pause } from 'node:timers/promises';
import type { RunState } from '../core/state/run-state.ts';
import { MaydayError } from '../platform/mayday-error.ts';
import type { RunRecord } from '../record/contract.ts';
import { KeeperGuard } from '../supervise/lease/keeper-guard.ts';
import { loadState } from '../supervise/load-state.ts';
import { startKeeper } from '../supervise/start-keeper.ts';

const LOOK_MS = 50;
/** A keeper that starts, reads its mail and commits needs well under a second; a busy machine more. */
const PATIENCE_MS = 30_000;
/** Another host is asked less often: the question goes over the network. */
const ELSEWHERE = 10;

export async function hearByKeeper(
  home: string,
  record: RunRecord,
  runId: string,
  env: NodeJS.ProcessEnv,
): Promise<RunState> {
  const deadline = performance.now() + PATIENCE_MS;
  const guard = new KeeperGuard({ home, record, runId, env });
  let kept = await guard.isKept();
  if (!kept) startKeeper(home, runId, env);
  while ((await record.mailbox(runId)).length > 0) {
    if (performance.now() >= deadline) throw (await guard.reason()) ?? unheard(runId);
    await pause(LOOK_MS);
    // The keeper may have ended after it was seen and before the letter was written.
    if (kept && !(await guard.isKept())) {
      kept = false;
      startKeeper(home, runId, env);
    } else await guard.look();
  }
  return await loadState(record, runId);
}

/** For a run of another host: that host, or the one that takes the run from it, reads the word. */
export async function hearElsewhere(record: RunRecord, runId: string): Promise<RunState> {
  const deadline = performance.now() + PATIENCE_MS;
  while ((await record.mailbox(runId)).length > 0) {
    if (performance.now() >= deadline) throw unheard(runId);
    await pause(LOOK_MS * ELSEWHERE);
  }
  return await loadState(record, runId);
}

/** The word is not lost: the letter is on disk, and the next keeper reads it first. */
function unheard(runId: string): MaydayError {
  return new MaydayError('NOT_HEARD_YET', `run ${runId} has not taken your word yet`, [
    ['did', 'your word is on record; the next keeper of the run acts on it'],
    ['do', `mayday show ${runId} tells when it did; mayday doctor if it does not`],
  ]);
}
