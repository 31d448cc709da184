/** `bestLevel`, `availableLevels`, `prefixFor`: which containers this machine offers, and the words that start a program in one. */
import type { ContainerLevel } from './attempt-files.ts';
import { cgroupPrefix } from './cgroup.ts';
import { spawnSync } from 'node:child_process';
import { HAS_PROC } from '../process/proc-table.ts';
import { systemProgram } from '../process/system-program.ts';

/** Strongest first. */
const LEVELS: readonly ContainerLevel[] = ['cgroup', 'pid-namespace', 'process-group'];
const probed = new Map<ContainerLevel, Promise<readonly string[] | null>>();

/** Those that are weaker are not tested. */
export async function bestLevel(): Promise<ContainerLevel> {
  for (const level of LEVELS) if ((await prefixFor(level)) !== null) return level;
  return 'process-group';
}

export async function availableLevels(): Promise<readonly ContainerLevel[]> {
  const prefixes = await Promise.all(LEVELS.map(prefixFor));
  return LEVELS.filter((_, index) => prefixes[index] !== null);
}

/** Null where the machine does not offer this level. It is tested by starting a program in it, once per process. */
export function prefixFor(level: ContainerLevel): Promise<readonly string[] | null> {
  const known = probed.get(level) ?? probe(level);
  probed.set(level, known);
  return known;
}

async function probe(level: ContainerLevel): Promise<readonly string[] | null> {
  if (level === 'cgroup') return await cgroupPrefix();
  return level === 'pid-namespace' ? namespacePrefix() : [];
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
