/**
 * `callKeeper`, `tellWaiting`, `dismissKeeper`: a keeper that loads while its run is still planned. It owns nothing, and ends if it gets
 * no run. `keeperWords`, `keeperPlace`: how any keeper is started. Loads little: a command calls its keeper before it loads itself.
 */
import { getCompileCacheDir } from 'node:module';
import { dirname, extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { spawnWaiting, type WaitingProcess } from '../platform/process/spawn.ts';

/**
 * A small young generation: a flood of short-lived lines peaks lower. `--optimize-for-size` from the start takes 60 ms of every run, and so
 * does every other flag with which Node throws away the code that it brings along. One helper thread: the processors are for the agent.
 * No debugger: an agent that may signal the keeper could run what it wants there.
 */
const KEEPER_FLAGS = ['--no-warnings', '--max-semi-space-size=4', '--v8-pool-size=1', '--disable-sigusr1'];

interface WaitingKeeper {
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  readonly process: WaitingProcess;
}

let waiting: WaitingKeeper | null = null;

/** For a command that will start a run. Every caller also calls `dismissKeeper` at its end. */
export function callKeeper(home: string, env: NodeJS.ProcessEnv): void {
  waiting ??= { home, env, process: spawnWaiting(keeperWords(home), keeperPlace(env)) };
}

/** Ends the one that waits, if it got no run. */
export function dismissKeeper(): void {
  waiting?.process.dismiss();
  waiting = null;
}

/** Gives the one that waits for a run in this home its run. Null: there is none. */
export function tellWaiting(home: string, env: NodeJS.ProcessEnv, runId: string): number | null {
  const ready = waiting;
  if (ready === null || ready.home !== home || ready.env !== env) return null;
  waiting = null;
  return ready.process.tell(runId);
}

export function keeperWords(...args: readonly string[]): readonly string[] {
  const program = fileURLToPath(new URL(`./keeper-process${extname(import.meta.url)}`, import.meta.url));
  return [process.execPath, ...KEEPER_FLAGS, program, ...args];
}

export function keeperPlace(env: NodeJS.ProcessEnv): {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
} {
  const cache = getCompileCacheDir();
  return { cwd: '/', env: cache === undefined ? env : { ...env, NODE_COMPILE_CACHE: dirname(cache) } };
}
