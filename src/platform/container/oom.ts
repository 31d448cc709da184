/** `wasOutOfMemory`, `oomKills`: tell whether the kernel killed a process because memory ran out. */
import { closeSync, constants, openSync, readSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ownCgroup } from './cgroup.ts';
import { readOrNull } from '../process/proc-table.ts';

/**
 * There are two sources: the counter of the control group that the process was in, and the kernel's own log, which names the process.
 * Without either, the cause of a SIGKILL is unknown.
 */

/** The kernel's log has far fewer records. The limit ends the reading when the kernel writes new ones all the time. */
const LOG_RECORDS = 20_000;
const RECORD_BYTES = 8_192;
/** The clock of the log and the monotonic clock differ by a little. */
const CLOCK_DRIFT_MS = 2_000;

/** The number of out-of-memory kills so far in the control group of this process, or null if no counter can be read. */
export function oomKills(cgroupPath: string | null = null): number | null {
  const files = [
    ...(cgroupPath === null ? [] : [join(cgroupPath, 'memory.events')]),
    ...upwards(ownCgroup(), 'memory.events'),
    ...oldHierarchy(),
  ];
  for (const file of files) {
    const count = readOrNull(file)?.match(/^oom_kill (\d+)$/m)?.[1];
    if (count !== undefined) return Number(count);
  }
  return null;
}

export interface KilledProcess {
  /** The number that the kernel's log uses; null inside a PID namespace, where it is not known. */
  readonly pid: number | null;
  readonly startedAtMonotonicMs: number;
  readonly oomKillsBefore: number | null;
  readonly oomKillsNow: number | null;
}

/** To be asked after a SIGKILL. Null when neither source can tell. */
export function wasOutOfMemory(killed: KilledProcess): boolean | null {
  const { pid, startedAtMonotonicMs, oomKillsBefore, oomKillsNow } = killed;
  const named = pid === null ? null : kernelLogNames(pid, startedAtMonotonicMs - CLOCK_DRIFT_MS);
  if (named === true) return true;
  if (oomKillsBefore !== null && oomKillsNow !== null) return oomKillsNow > oomKillsBefore;
  return named;
}

/** The nearest control group with the memory controller counts the kills in all groups below it. */
function upwards(path: string | null, name: string): string[] {
  const files: string[] = [];
  for (let at = path; at !== null && at.startsWith('/sys/fs/cgroup'); at = dirname(at))
    files.push(join(at, name));
  return files;
}

function oldHierarchy(): string[] {
  const path = readOrNull('/proc/self/cgroup')?.match(/^\d+:(?:[^:\n]*,)?memory(?:,[^:\n]*)?:(.*)$/m)?.[1];
  return path === undefined ? [] : [join('/sys/fs/cgroup/memory', path, 'memory.oom_control')];
}

/** Records from before the start do not count: they may name an earlier process with the same number. */
function kernelLogNames(pid: number, sinceMs: number): boolean | null {
  const sentence = new RegExp(`(?:Killed process|oom_reaper: reaped process) ${pid}\\b`);
  let fd: number;
  try {
    fd = openSync('/dev/kmsg', constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    return null;
  }
  try {
    const record = Buffer.alloc(RECORD_BYTES);
    for (let n = 0; n < LOG_RECORDS; n++) {
      const length = readSync(fd, record);
      if (length === 0) return false;
      const text = record.toString('latin1', 0, length);
      if (sentence.test(text) && Number(text.split(',', 3)[2]) / 1000 >= sinceMs) return true;
    }
    return false;
  } catch (error) {
    // EAGAIN is the end of the log; EPIPE means that old records were overwritten during the reading.
    return (error as NodeJS.ErrnoException).code === 'EAGAIN' ? false : null;
  } finally {
    closeSync(fd);
  }
}
