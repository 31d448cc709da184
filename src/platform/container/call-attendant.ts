/**
 * `callAttendant`, `dismissAttendant`: start an attendant process that waits for its plan, and let one go that gets none. Node starts more
 * slowly than a plan is made: the attendant loads meanwhile. `expectAttendants` starts some before it is known for what: the next calls
 * take them. One without a plan has claimed nothing, and ends when its starter lets it go or ends.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { getCompileCacheDir } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ATTENDANT_LOG_FILE, CLAIM_FILE, type AttendantPlace, type ContainerLevel } from './attempt-files.ts';
import { cgroupName, cgroupPathFor, removeCgroup } from './cgroup.ts';
import { bestLevel, prefixFor } from './container-level.ts';
import { removeWitness } from './witness.ts';

interface StartedAttendant {
  readonly child: ChildProcess;
  /** Why its process could not be started, if it could not. */
  readonly failure: () => Error | undefined;
}

export interface WaitingAttendant extends StartedAttendant {
  readonly attemptDir: string;
  readonly level: ContainerLevel;
  /** The control group that it enters while it waits, where that is known here. */
  readonly cgroupPath: string | null;
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
  const group = chosen === 'cgroup' && marker !== undefined ? cgroupName(marker) : '';
  const place: AttendantPlace = [attemptDir, group];
  const started = takeSpare(prefix, place) ?? startIn(prefix, place);
  const cgroupPath = group === '' || prefix.length > 0 ? null : cgroupPathFor('', group);
  return { attemptDir, level: chosen, cgroupPath, ...started };
}

function startIn(prefix: readonly string[], [attemptDir, group]: AttendantPlace): StartedAttendant {
  const log = openSync(join(attemptDir, ATTENDANT_LOG_FILE), 'a', 0o600);
  try {
    return start(prefix, [attemptDir, '', group], log);
  } finally {
    closeSync(log);
  }
}

function start(
  prefix: readonly string[],
  place: readonly string[],
  log: number | 'ignore',
): StartedAttendant {
  // In the checkout this file is TypeScript, in the published package JavaScript; the attendant is beside it.
  const program = fileURLToPath(new URL(`./attendant${extname(import.meta.url)}`, import.meta.url));
  const words = [...prefix, process.execPath, ...ATTENDANT_FLAGS, program, ...place];
  const [command = '', ...args]: readonly string[] = words;
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
  return { child, failure: () => failure };
}

interface Spare extends StartedAttendant {
  readonly prefix: readonly string[];
  readonly limit: NodeJS.Timeout;
}

const spares: Spare[] = [];

/** Several times what an act takes to come to its first program. After a longer one the time to load an attendant is nothing. */
const SPARE_MS = 2_000;

/** For an act that starts so many programs soon, or is followed by one that does. */
export async function expectAttendants(count: number): Promise<void> {
  const prefix = await prefixFor(await bestLevel());
  if (prefix === null) return;
  try {
    while (spares.length < count) spares.push(newSpare(prefix));
  } catch {
    // The call that needs one says why there is none.
  }
}

function newSpare(prefix: readonly string[]): Spare {
  const started = start(prefix, [], 'ignore');
  const forget = () => spares.splice(0, Infinity, ...spares.filter(({ child }) => child !== started.child));
  started.child.once('exit', forget).once('error', forget);
  const letGo = () => {
    forget();
    started.child.stdin?.end();
  };
  return { ...started, prefix, limit: setTimeout(letGo, SPARE_MS).unref() };
}

function takeSpare(prefix: readonly string[], place: AttendantPlace): StartedAttendant | null {
  const at = spares.findIndex((spare) => !hasEnded(spare) && spare.prefix.join(' ') === prefix.join(' '));
  const [taken] = at < 0 ? [] : spares.splice(at, 1);
  if (taken === undefined) return null;
  clearTimeout(taken.limit);
  // Made here: an attendant that is let go must not make its folder anew when that is gone.
  closeSync(openSync(join(place[0], ATTENDANT_LOG_FILE), 'a', 0o600));
  taken.child.stdin?.write(`${JSON.stringify(place)}\n`);
  return { child: taken.child, failure: taken.failure };
}

/** Many times what a process takes to end. */
const LEFT_MS = 100;

export function hasEnded({ child, failure }: StartedAttendant): boolean {
  return failure() !== undefined || child.exitCode !== null || child.signalCode !== null;
}

/** An attendant that has its plan goes on, unless the plan says that it ends with its starter. */
export function dismissAttendant(attendant: WaitingAttendant): void {
  attendant.child.stdin?.end();
  const { attemptDir, cgroupPath } = attendant;
  if (!hasEnded(attendant)) return;
  if (!existsSync(join(attemptDir, CLAIM_FILE))) removeWitness(attemptDir);
  if (cgroupPath === null) return;
  // What one that was killed left in its group ends with it, in a moment; a group with an agent in it stays.
  if (!removeCgroup(cgroupPath)) setTimeout(() => removeCgroup(cgroupPath), LEFT_MS).unref();
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
