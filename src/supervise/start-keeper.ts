/**
 * `startKeeper`: starts a detached keeper for a run. The lease and the process show whether the keeper lives. `callKeeper`,
 * `dismissKeeper`: a keeper that loads while its run is still planned. It owns nothing, and ends if it gets no run.
 */
import { closeSync } from 'node:fs';
import { getCompileCacheDir } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runDir } from '../act/run-files.ts';
import { identify, type ProcessIdentity } from '../platform/process/process-identity.ts';
import { openLog, spawnDetached, spawnWaiting, type WaitingProcess } from '../platform/process/spawn.ts';
import type { RunRecord } from '../record/contract.ts';
import { isOwnerDead } from './lease/owner.ts';

/** A small young generation: a flood of short-lived lines peaks lower. `--optimize-for-size` from the start takes 60 ms of every run. */
const KEEPER_FLAGS = ['--no-warnings', '--max-semi-space-size=4'];

export function startKeeper(home: string, runId: string, env: NodeJS.ProcessEnv): void {
  const pid = toWaiting(home, runId, env) ?? toNew(home, runId, env);
  const keeper = pid === undefined ? null : identify(pid);
  if (keeper !== null) lastStarted.set(runId, keeper);
}

function toNew(home: string, runId: string, env: NodeJS.ProcessEnv): number | undefined {
  return spawnDetached(keeperWords(home, runId), { ...placeOf(env), logFile: keeperLog(home, runId) });
}

interface WaitingKeeper {
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  readonly process: WaitingProcess;
}

let waiting: WaitingKeeper | null = null;

/** For a command that will start a run. Every caller also calls `dismissKeeper` at its end. */
export function callKeeper(home: string, env: NodeJS.ProcessEnv): void {
  waiting ??= { home, env, process: spawnWaiting(keeperWords(home), placeOf(env)) };
}

/** Ends the one that waits, if it got no run. */
export function dismissKeeper(): void {
  waiting?.process.dismiss();
  waiting = null;
}

function toWaiting(home: string, runId: string, env: NodeJS.ProcessEnv): number | null {
  const ready = waiting;
  if (ready === null || ready.home !== home || ready.env !== env) return null;
  // It opens its log itself: one that cannot be written is told here, as for any keeper.
  closeSync(openLog(keeperLog(home, runId)));
  waiting = null;
  return ready.process.tell(runId);
}

function keeperWords(...args: readonly string[]): readonly string[] {
  const program = fileURLToPath(new URL(`./keeper-process${extname(import.meta.url)}`, import.meta.url));
  return [process.execPath, ...KEEPER_FLAGS, program, ...args];
}

function placeOf(env: NodeJS.ProcessEnv): { readonly cwd: string; readonly env: NodeJS.ProcessEnv } {
  const cache = getCompileCacheDir();
  return { cwd: '/', env: cache === undefined ? env : { ...env, NODE_COMPILE_CACHE: dirname(cache) } };
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
