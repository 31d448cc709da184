/** `bestLevel`, `availableLevels`, `prefixFor`: which containers this machine offers, and the words that start a program in one. */
import type { ContainerLevel } from './attempt-files.ts';
import { cgroupPrefix } from './cgroup.ts';
import { spawnSync } from 'node:child_process';
import { HAS_PROC } from '../process/proc-table.ts';
import { systemProgram } from '../process/system-program.ts';

type Prefixes = Readonly<Record<ContainerLevel, readonly string[] | null>>;
let probed: Promise<Prefixes> | undefined;

export async function bestLevel(): Promise<ContainerLevel> {
  return (await availableLevels())[0] ?? 'process-group';
}

/** Strongest first. Each level is tested by starting a program in it, once per process. */
export async function availableLevels(): Promise<readonly ContainerLevel[]> {
  const prefixes = await prefixesOnce();
  const order: readonly ContainerLevel[] = ['cgroup', 'pid-namespace', 'process-group'];
  return order.filter((level) => prefixes[level] !== null);
}

/** Null where the machine does not offer this level. */
export async function prefixFor(level: ContainerLevel): Promise<readonly string[] | null> {
  return (await prefixesOnce())[level];
}

async function prefixesOnce(): Promise<Prefixes> {
  probed ??= cgroupPrefix().then((cgroup) => ({
    cgroup,
    'pid-namespace': namespacePrefix(),
    'process-group': [],
  }));
  return await probed;
}

/**
 * The first process of the namespace is a shell that only reaps; the attendant is its child, and the agent is the attendant's child. So
 * the agent is an ordinary process (the first process of a namespace ignores most signals), orphans are reaped, and when the attendant
 * or the shell ends, the kernel ends all the rest. `/proc` is mounted again inside: with the outer `/proc`, a `pkill` of the agent
 * would use wrong numbers.
 */

/** Starting a namespace takes 5 ms, and so does the refusal on a machine that forbids it; on an overloaded one both take seconds. */
const PROBE_TIMEOUT_MS = 60_000;

const NAMESPACE = ['--pid', '--fork', '--kill-child', '--mount-proc'];
const ROOTLESS = ['--user', '--map-current-user'];
/** `exit $?` keeps the shell from replacing itself with the program, which would make the program the first process. */
const FIRST_PROCESS = ['/bin/sh', '-c', '"$@"; exit $?', 'mayday-first'];

/**
 * The words that start a program in a PID namespace, the second strongest container level. Null if this machine offers no namespace to
 * this user.
 */
export function namespacePrefix(): readonly string[] | null {
  if (!HAS_PROC) return null;
  for (const extra of [[], ROOTLESS]) {
    const words = [systemProgram('unshare'), ...extra, ...NAMESPACE, '--', ...FIRST_PROCESS];
    const [command = '', ...rest] = words;
    const { status } = spawnSync(command, [...rest, 'true'], { stdio: 'ignore', timeout: PROBE_TIMEOUT_MS });
    if (status === 0) return words;
  }
  return null;
}
