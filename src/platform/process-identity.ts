import { execFileSync } from 'node:child_process';
import { HAS_PROC, type LiveState, readOrNull, readProcess } from './proc-table.ts';

/**
 * Which process it is, safe against reuse of the number and against a reboot. On macOS the start time comes from `ps` and
 * counts whole seconds: a number reused within the same second would be taken for the same process.
 */
export interface ProcessIdentity {
  readonly bootId: string;
  readonly pid: number;
  readonly startTicks: number;
}

export type ProcessState = LiveState | 'gone';

let knownBootId: string | undefined;

export function bootId(): string {
  knownBootId ??= readBootId();
  return knownBootId;
}

export function identify(pid: number): ProcessIdentity | null {
  const row = readProcess(pid);
  return row === null ? null : { bootId: bootId(), pid, startTicks: row.startTicks };
}

export function lookAt(identity: ProcessIdentity): ProcessState {
  if (identity.bootId !== bootId()) return 'gone';
  const row = readProcess(identity.pid);
  return row === null || row.startTicks !== identity.startTicks ? 'gone' : row.state;
}

/** A zombie has ended: it holds no files, runs no code and only waits to be counted. */
export function isAlive(identity: ProcessIdentity): boolean {
  const state = lookAt(identity);
  return state !== 'gone' && state !== 'zombie';
}

export function selfIdentity(): ProcessIdentity {
  const self = identify(process.pid);
  if (self === null) throw new Error('this process is not in its own process table');
  return self;
}

function readBootId(): string {
  if (HAS_PROC) return readOrNull('/proc/sys/kernel/random/boot_id')?.trim() ?? 'unknown-boot';
  try {
    return execFileSync('sysctl', ['-n', 'kern.bootsessionuuid'], { encoding: 'utf8' }).trim();
  } catch {
    return 'unknown-boot';
  }
}
