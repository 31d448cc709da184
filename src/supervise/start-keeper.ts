/** `startKeeper`: starts a detached keeper for a run. `isKept`: the lease and the process show whether the keeper lives. */
import { closeSync } from 'node:fs';
import { join } from 'node:path';
import { runDir } from '../act/run-files.ts';
import { identify, type ProcessIdentity } from '../platform/process/process-identity.ts';
import { openLog, spawnDetached } from '../platform/process/spawn.ts';
import type { RunRecord } from '../record/contract.ts';
import { keeperPlace, keeperWords, tellWaiting } from './call-keeper.ts';
import { isOwnerDead } from './lease/owner.ts';

export function startKeeper(home: string, runId: string, env: NodeJS.ProcessEnv): void {
  // One that waits opens its log itself: a log that cannot be written is told here, as for any keeper.
  closeSync(openLog(keeperLog(home, runId)));
  const pid =
    tellWaiting(home, env, runId) ??
    spawnDetached(keeperWords(home, runId), { ...keeperPlace(env), logFile: keeperLog(home, runId) });
  const keeper = pid === undefined ? null : identify(pid);
  if (keeper !== null) lastStarted.set(runId, keeper);
}

/** The keepers that this process started, by run; only the last one of each. */
const lastStarted = new Map<string, ProcessIdentity>();

/** The keeper that this process started last for the run; it may not own the run yet. */
export function lastKeeper(runId: string): ProcessIdentity | null {
  return lastStarted.get(runId) ?? null;
}

export function keeperLog(home: string, runId: string): string {
  return join(runDir(home, runId), 'keeper.log');
}

/** Whether a process owns the run and lives, as far as can be seen from here. */
export async function isKept(record: RunRecord, runId: string): Promise<boolean> {
  const lease = await record.lease(runId);
  return lease !== null && !lease.expired && !isOwnerDead(lease);
}
