/**
 * `callAttendant`, `dismissAttendant`: start an attendant process that waits for its plan, and let one go that gets none. Node starts more
 * slowly than a plan is made: the attendant loads meanwhile. One without a plan has claimed nothing, and ends when its starter lets it go
 * or ends.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { getCompileCacheDir } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ATTENDANT_LOG_FILE, type ContainerLevel } from './attempt-files.ts';
import { cgroupName, cgroupPathFor, removeCgroup } from './cgroup.ts';
import { bestLevel, prefixFor } from './container-level.ts';

export interface WaitingAttendant {
  readonly attemptDir: string;
  readonly level: ContainerLevel;
  readonly child: ChildProcess;
  /** The control group that it enters while it waits, where that is known here. */
  readonly cgroupPath: string | null;
  /** Why its process could not be started, if it could not. */
  readonly failure: () => Error | undefined;
}

/**
 * The attendant only waits, so it gets little memory and one helper thread (0 would be one for each processor). Measured: it uses 9 MB of
 * its own as .js, 20 MB as .ts.
 */
const ATTENDANT_FLAGS = [
  '--max-old-space-size=32',
  '--max-semi-space-size=1',
  '--v8-pool-size=1',
  '--no-warnings',
];

/**
 * `level`: default the strongest that this machine offers. Null: the machine does not offer it. `marker`: where that of the plan is known
 * already, the attendant enters its control group while it waits.
 */
export async function callAttendant(
  attemptDir: string,
  level?: ContainerLevel,
  marker?: string,
): Promise<WaitingAttendant | null> {
  const chosen = level ?? (await bestLevel());
  const prefix = await prefixFor(chosen);
  if (prefix === null) return null;
  mkdirSync(attemptDir, { recursive: true, mode: 0o700 });
  const log = openSync(join(attemptDir, ATTENDANT_LOG_FILE), 'a', 0o600);
  // In the checkout this file is TypeScript, in the published package JavaScript; the attendant is beside it.
  const program = fileURLToPath(new URL(`./attendant${extname(import.meta.url)}`, import.meta.url));
  const group = chosen === 'cgroup' && marker !== undefined ? ['', cgroupName(marker)] : [];
  const words = [...prefix, process.execPath, ...ATTENDANT_FLAGS, program, attemptDir, ...group];
  const [command = '', ...args]: readonly string[] = words;
  try {
    const child = spawn(command, args, {
      cwd: '/',
      // Not the keeper's own environment: NODE_OPTIONS and similar variables would change how the attendant runs.
      env: { ...pick(['PATH', 'XDG_RUNTIME_DIR', 'DBUS_SESSION_BUS_ADDRESS']), ...compileCache() },
      stdio: ['pipe', log, log],
      detached: true,
    });
    child.unref();
    (child.stdin as unknown as { unref?: () => void } | null)?.unref?.();
    let failure: Error | undefined;
    child.on('error', (error) => {
      failure = error;
    });
    child.stdin?.on('error', () => {});
    const cgroupPath = group.length === 0 || prefix.length > 0 ? null : cgroupPathFor('', group[1]);
    return { attemptDir, level: chosen, child, cgroupPath, failure: () => failure };
  } finally {
    closeSync(log);
  }
}

export function hasEnded({ child, failure }: WaitingAttendant): boolean {
  return failure() !== undefined || child.exitCode !== null || child.signalCode !== null;
}

/** An attendant that has its plan goes on, unless the plan says that it ends with its starter. */
export function dismissAttendant(attendant: WaitingAttendant): void {
  attendant.child.stdin?.end();
  // One that was killed has left its group; a group with an agent in it stays.
  if (attendant.cgroupPath !== null && hasEnded(attendant)) removeCgroup(attendant.cgroupPath);
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
