import { spawnSync } from 'node:child_process';
import { HAS_PROC } from '../process/proc-table.ts';

/**
 * The second level: a PID namespace. Its first process is a shell that only reaps; the attendant is its child, and the agent
 * the attendant's. So the agent is an ordinary process (the first one of a namespace ignores most signals), orphans are reaped,
 * and when the attendant or the shell ends, the kernel ends all the rest. `/proc` is mounted anew inside: with the outer one an
 * agent's own `pkill` would aim at wrong numbers.
 */

/** Starting a namespace takes 5 ms; a machine that forbids it answers as fast. */
const PROBE_TIMEOUT_MS = 3_000;

const NAMESPACE = ['--pid', '--fork', '--kill-child', '--mount-proc'];
const ROOTLESS = ['--user', '--map-current-user'];
/** The last word keeps a shell from replacing itself by the program, which would make the program the first process. */
const FIRST_PROCESS = ['sh', '-c', '"$@"; exit $?', 'mayday-first'];

/** The words to put before the attendant; null if this machine offers no namespace to this user. */
export function namespacePrefix(): readonly string[] | null {
  if (!HAS_PROC) return null;
  for (const extra of [[], ROOTLESS]) {
    const words = ['unshare', ...extra, ...NAMESPACE, '--', ...FIRST_PROCESS];
    const [command = '', ...rest] = words;
    const { status } = spawnSync(command, [...rest, 'true'], { stdio: 'ignore', timeout: PROBE_TIMEOUT_MS });
    if (status === 0) return words;
  }
  return null;
}
