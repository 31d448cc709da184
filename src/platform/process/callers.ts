/**
 * `callerSigns`: finds signs that an agent called this process, in its parent processes and in its control group. An agent can empty its
 * own environment. It cannot change the environment and the command lines of its parents, nor its control group.
 */
import { HAS_PROC, readOrNull, readProcess } from './proc-table.ts';
import { MARKER_VARIABLE } from '../container/process-group.ts';

export interface CallerSigns {
  /** Markers of containers in the environment of this process or of a parent. */
  readonly markers: readonly string[];
  /** Attempt directories of attendants among its parents. */
  readonly attendants: readonly string[];
  /** Names of Mayday's control groups that it is a member of. */
  readonly groups: readonly string[];
}

/** Deeper than any real chain of shells and agents. */
const MAX_DEPTH = 200;

export function callerSigns(env: NodeJS.ProcessEnv = process.env): CallerSigns {
  const own = env[MARKER_VARIABLE];
  const markers = new Set(own === undefined ? [] : [own]);
  const attendants = new Set<string>();
  if (!HAS_PROC) return { markers: [...markers], attendants: [], groups: [] };
  let pid = process.pid;
  for (let depth = 0; depth < MAX_DEPTH && pid > 0; depth += 1) {
    for (const entry of (readOrNull(`/proc/${pid}/environ`) ?? '').split('\0'))
      if (entry.startsWith(`${MARKER_VARIABLE}=`)) markers.add(entry.slice(MARKER_VARIABLE.length + 1));
    const words = (readOrNull(`/proc/${pid}/cmdline`) ?? '').split('\0');
    const at = words.findIndex((word) => /(?:^|\/)attendant\.[jt]s$/.test(word));
    if (at !== -1) attendants.add(words[at + 1] ?? '');
    pid = readProcess(pid)?.parentPid ?? 0;
  }
  attendants.delete('');
  const groups = (readOrNull('/proc/self/cgroup') ?? '').match(/mayday-[0-9a-f]{24}/g) ?? [];
  return { markers: [...markers], attendants: [...attendants], groups: [...new Set(groups)] };
}
