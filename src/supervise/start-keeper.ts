/** `startKeeper`: starts a detached keeper for a run. `isKept`: the lease and the process show whether the keeper lives. */
import { getCompileCacheDir } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runDir } from '../act/run-files.ts';
import { identify, type ProcessIdentity } from '../platform/process/process-identity.ts';
import { spawnDetached } from '../platform/process/spawn.ts';
import type { RunRecord } from '../record/contract.ts';
import { isOwnerDead } from './lease/owner.ts';

/**
 * A small young generation: a flood of short-lived lines peaks lower. One helper thread: the processors are for the agent. No debugger: an
 * agent that may signal the keeper could run what it wants there.
 */
const KEEPER_FLAGS = ['--no-warnings', '--max-semi-space-size=4', '--v8-pool-size=1', '--disable-sigusr1'];

export function startKeeper(home: string, runId: string, env: NodeJS.ProcessEnv): void {
  const program = fileURLToPath(new URL(`./keeper-process${extname(import.meta.url)}`, import.meta.url));
  const cache = getCompileCacheDir();
  const pid = spawnDetached([process.execPath, ...KEEPER_FLAGS, program, home, runId], {
    cwd: '/',
    env: cache === undefined ? env : { ...env, NODE_COMPILE_CACHE: dirname(cache) },
    logFile: keeperLog(home, runId),
  });
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
