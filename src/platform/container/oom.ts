import { closeSync, constants, openSync, readSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ownCgroup } from './cgroup.ts';
import { readOrNull } from '../process/proc-table.ts';

/**
 * Whether the kernel ended a process for want of memory. Two witnesses: the counter of the control group it lived in, and the
 * kernel's own log, which names the process. Without either, a SIGKILL is only a SIGKILL.
 */

/** The log's ring is far smaller; the bound keeps a busy kernel from holding the attendant. */
const LOG_RECORDS = 20_000;
const RECORD_BYTES = 8_192;
/** The log's clock and the monotonic clock are kept apart by the kernel and differ by a little. */
const CLOCK_DRIFT_MS = 2_000;

/** Kills for want of memory so far around this process, or null if no counter can be read. */
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
  /** As the kernel counts it; null inside a namespace, where that number cannot be known. */
  readonly pid: number | null;
  readonly startedAtMonotonicMs: number;
  readonly oomKillsBefore: number | null;
  readonly oomKillsNow: number | null;
}

/** After a SIGKILL: true, false, or null when nothing here can tell. */
export function wasOutOfMemory(killed: KilledProcess): boolean | null {
  const { pid, startedAtMonotonicMs, oomKillsBefore, oomKillsNow } = killed;
  const named = pid === null ? null : kernelLogNames(pid, startedAtMonotonicMs - CLOCK_DRIFT_MS);
  if (named === true) return true;
  if (oomKillsBefore !== null && oomKillsNow !== null) return oomKillsNow > oomKillsBefore;
  return named;
}

/** The nearest group with the memory controller counts for everything below it. */
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

/** An older record may name an earlier process of the same number: records from before the start do not count. */
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
    // EAGAIN is the end of the log; EPIPE says that old records were overwritten while we read.
    return (error as NodeJS.ErrnoException).code === 'EAGAIN' ? false : null;
  } finally {
    closeSync(fd);
  }
}
