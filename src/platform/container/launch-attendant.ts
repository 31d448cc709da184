/** `launchAttendant`: writes the plan of an attempt and starts the attendant process that reads it. */
import type { Startable } from './startable.ts';
import { randomBytes } from 'node:crypto';
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { getCompileCacheDir } from 'node:module';
import { basename, dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  ATTENDANT_LOG_FILE,
  type AttendantPlan,
  type ContainerLevel,
  type LeaseNote,
} from './attempt-files.ts';
import { cgroupName } from './cgroup.ts';
import type { HiddenHome } from './hide-home.ts';
import { ownNamespace } from '../process/namespace-view.ts';
import { hostId } from '../process/process-identity.ts';
import { MARKER_VARIABLE } from './process-group.ts';

export interface StartPlan extends Startable {
  readonly attemptDir: string;
  /** `<run>.<attempt>.<random>`: the unique name of this container. */
  readonly marker: string;
  /** Default: the strongest level that this machine offers. */
  readonly level?: ContainerLevel;
  readonly mergeOutput?: boolean;
  /** For checks and other short commands, which must not outlive the process that started them. */
  readonly endsWithStarter?: boolean;
  readonly hidden?: HiddenHome | undefined;
  readonly seal?: string;
  readonly lease?: LeaseNote;
}

export interface Launched {
  readonly child: ChildProcess;
  readonly plan: string;
}

/** The attendant only waits, so it gets little memory and few helper threads. Measured: it uses 9 MB of its own as .js, 20 MB as .ts. */
const ATTENDANT_FLAGS = [
  '--max-old-space-size=32',
  '--max-semi-space-size=1',
  '--v8-pool-size=0',
  '--no-warnings',
];

export function launchAttendant(
  plan: StartPlan,
  level: ContainerLevel,
  prefix: readonly string[],
  claimFile: string,
): Launched {
  const { attemptDir, argv, cwd, stdinFile, marker, mergeOutput = false, endsWithStarter = false } = plan;
  const env = { ...plan.env, [MARKER_VARIABLE]: marker };
  const seenFrom = ownNamespace();
  const content: AttendantPlan = {
    argv,
    cwd,
    env,
    stdinFile,
    marker,
    group: cgroupName(marker),
    host: hostId(),
    level,
    mergeOutput,
    endsWithStarter,
    seal: plan.seal ?? null,
    hidden: plan.hidden ?? null,
    claimFile,
    lease: plan.lease ?? null,
    seenFrom,
  };
  const planFile = join(attemptDir, `plan-${randomBytes(6).toString('hex')}.json`);
  writeFileSync(planFile, JSON.stringify(content), { mode: 0o600, flag: 'wx' });
  const log = openSync(join(attemptDir, ATTENDANT_LOG_FILE), 'a', 0o600);
  // In the checkout this file is TypeScript, in the published package JavaScript; the attendant is beside it.
  const program = fileURLToPath(new URL(`./attendant${extname(import.meta.url)}`, import.meta.url));
  const words = [...prefix, process.execPath, ...ATTENDANT_FLAGS, program, attemptDir, planFile];
  const [command = '', ...args]: readonly string[] = words;
  try {
    const child = spawn(command, args, {
      cwd: '/',
      // Not the keeper's own environment: NODE_OPTIONS and similar variables would change how the attendant runs.
      env: { ...pick(['PATH', 'XDG_RUNTIME_DIR', 'DBUS_SESSION_BUS_ADDRESS']), ...compileCache() },
      stdio: [endsWithStarter ? 'pipe' : 'ignore', log, log],
      detached: true,
    });
    child.once('exit', () => rmSync(planFile, { force: true }));
    child.unref();
    (child.stdin as unknown as { unref?: () => void } | null)?.unref?.();
    child.stdin?.on('error', () => {});
    return { child, plan: basename(planFile) };
  } finally {
    closeSync(log);
  }
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
