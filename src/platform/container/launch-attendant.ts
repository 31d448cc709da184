/** `launchAttendant`: writes the plan of an attempt and starts the attendant that carries it out. `hasEnded`: whether that is gone. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { getCompileCacheDir } from 'node:module';
import { basename, dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ATTENDANT_LOG_FILE, type AttendantPlan, type StartPlan } from './attempt-files.ts';
import { bestLevel, prefixFor } from './container-level.ts';
import { ownNamespace } from '../process/namespace-view.ts';
import { MARKER_VARIABLE } from './process-group.ts';

export interface Launched {
  readonly child: ChildProcess;
  /** The name of the plan file. */
  readonly plan: string;
  /** Why its process could not be started, if it could not. */
  readonly failure: () => Error | undefined;
}

/**
 * The attendant only waits, so it gets little memory and one helper thread (0 would be one for each processor). Measured: it uses 9 MB of
 * its own as .js, 20 MB as .ts. No debugger: an agent that may signal it could run what it wants there, outside of its cover.
 */
const ATTENDANT_FLAGS = [
  '--max-old-space-size=32',
  '--max-semi-space-size=1',
  '--v8-pool-size=1',
  '--no-warnings',
  '--disable-sigusr1',
];

/** Null: the machine does not offer this level. */
export async function launchAttendant(plan: StartPlan, claimFile: string): Promise<Launched | null> {
  const level = plan.level ?? (await bestLevel());
  const prefix = await prefixFor(level);
  if (prefix === null) return null;
  const { attemptDir, endsWithStarter = false } = plan;
  const env = { ...plan.env, [MARKER_VARIABLE]: plan.marker };
  const content: AttendantPlan = { ...plan, env, level, claimFile, seenFrom: ownNamespace() };
  const planFile = join(attemptDir, `plan-${randomBytes(6).toString('hex')}.json`);
  writeFileSync(planFile, JSON.stringify(content), { mode: 0o600, flag: 'wx' });
  // In the checkout this file is TypeScript, in the published package JavaScript; the attendant is beside it.
  const program = fileURLToPath(new URL(`./attendant${extname(import.meta.url)}`, import.meta.url));
  const child = start(
    [...prefix, process.execPath, ...ATTENDANT_FLAGS, program, attemptDir, planFile],
    join(attemptDir, ATTENDANT_LOG_FILE),
    endsWithStarter,
  );
  let failure: Error | undefined;
  child.on('error', (error) => {
    failure = error;
  });
  child.once('exit', () => rmSync(planFile, { force: true }));
  return { child, plan: basename(planFile), failure: () => failure };
}

function start([command = '', ...args]: readonly string[], logFile: string, isHeld: boolean): ChildProcess {
  const log = openSync(logFile, 'a', 0o600);
  try {
    const child = spawn(command, args, {
      cwd: '/',
      // Not the keeper's own environment: NODE_OPTIONS and similar variables would change how the attendant runs.
      env: { ...pick(['PATH', 'XDG_RUNTIME_DIR', 'DBUS_SESSION_BUS_ADDRESS']), ...compileCache() },
      stdio: [isHeld ? 'pipe' : 'ignore', log, log],
      detached: true,
    });
    child.unref();
    (child.stdin as unknown as { unref?: () => void } | null)?.unref?.();
    child.stdin?.on('error', () => {});
    return child;
  } finally {
    closeSync(log);
  }
}

export function hasEnded({ child, failure }: Launched): boolean {
  return failure() !== undefined || child.exitCode !== null || child.signalCode !== null;
}

/** The attendant shares the compile cache of this process, if there is one. The agent does not see it: it gets the plan's environment. */
function compileCache(): Record<string, string> {
  const folder = getCompileCacheDir();
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) };
}

function pick(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name] as string]])),
  );
}
