/** `startAttendant`: starts the process of an attendant, which waits for its place or its plan. `hasEnded`: whether it is gone. */
import { type ChildProcess, spawn } from 'node:child_process';
import { getCompileCacheDir } from 'node:module';
import { dirname, extname } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface StartedAttendant {
  readonly child: ChildProcess;
  /** The words before it. */
  readonly prefix: readonly string[];
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

export function startAttendant(
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
  return { child, prefix, failure: () => failure };
}

export function hasEnded({ child, failure }: StartedAttendant): boolean {
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
