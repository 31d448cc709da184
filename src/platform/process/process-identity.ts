/**
 * `ProcessIdentity`, `identify`, `lookAt`: name a process by machine, boot, PID namespace, number and start time, and tell whether it still
 * lives. A process that this one cannot see is `unseen`, never `gone`: in another PID namespace or on another machine it may live.
 */
import { execFileSync } from 'node:child_process';
import { readlinkSync, readFileSync } from 'node:fs';
import { MaydayError } from '../mayday-error.ts';
import { canSee, numberSeenFromHere, ownNamespace } from './namespace-view.ts';
import { HAS_PROC, type LiveState, readOrNull, readProcess } from './proc-table.ts';
import { lookOrNull } from '../file/vanished.ts';
import { createHash } from 'node:crypto';
import { hostname } from 'node:os';

/**
 * It is safe against a reused number and against a reboot. On macOS the start time comes from `ps` and counts whole seconds: a
 * number that is reused within the same second is taken for the same process.
 */
export interface ProcessIdentity {
  readonly bootId: string;
  readonly pid: number;
  readonly startTicks: number;
  /** The PID namespace in which the number is valid. Absent in records of older versions: then it is the namespace of the reader. */
  readonly pidNamespace?: string;
  /** A parent namespace from which the process is visible. A reader that sees this namespace and not the process knows that it is gone. */
  readonly seenFrom?: string;
  /** See hostId. Absent in records of older versions. */
  readonly host?: string;
}

export type ProcessState = LiveState | 'gone' | 'unseen';

let knownBootId: string | undefined;

export function bootId(): string {
  knownBootId ??= readBootId();
  return knownBootId;
}

export function identify(pid: number): ProcessIdentity | null {
  const row = readProcess(pid);
  return row === null ? null : identityHere(pid, row.startTicks);
}

function identityHere(pid: number, startTicks: number): ProcessIdentity {
  return { bootId: bootId(), pid, startTicks, pidNamespace: ownNamespace(), host: hostId() };
}

/** The same process with its number in the namespace of this process; if it has none, whether that proves that it has ended. */
export function seenFromHere(identity: ProcessIdentity): ProcessIdentity | 'gone' | 'unseen' {
  const { pidNamespace, seenFrom, host } = identity;
  // A reboot of this machine ended all processes from before. About another machine nothing is known.
  if (identity.bootId !== bootId()) return host === undefined || host === hostId() ? 'gone' : 'unseen';
  if (pidNamespace === undefined || pidNamespace === ownNamespace()) return identity;
  const pid = numberSeenFromHere(pidNamespace, identity);
  if (pid !== null) return identityHere(pid, identity.startTicks);
  return canSee(pidNamespace) || (seenFrom !== undefined && canSee(seenFrom)) ? 'gone' : 'unseen';
}

export function lookAt(identity: ProcessIdentity): ProcessState {
  const here = seenFromHere(identity);
  if (typeof here === 'string') return here;
  const row = readProcess(here.pid);
  return row === null || row.startTicks !== here.startTicks ? 'gone' : row.state;
}

/** A zombie has ended: it holds no files, runs no code and only waits for its parent to read its exit status. */
export function isDead(state: ProcessState): boolean {
  return state === 'gone' || state === 'zombie';
}

/** A process that cannot be seen counts as alive. */
export function isAlive(identity: ProcessIdentity): boolean {
  return !isDead(lookAt(identity));
}

export function selfIdentity(): ProcessIdentity {
  if (HAS_PROC && lookOrNull(() => readlinkSync('/proc/self')) !== String(process.pid))
    throw new MaydayError(
      'PROC_OF_ANOTHER_NAMESPACE',
      '/proc shows the processes of another PID namespace than this one',
      [
        ['did', 'started and adopted nothing: agents could not be told from other processes'],
        ['do', 'mount /proc inside the namespace (unshare --mount-proc), then try again'],
      ],
    );
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

const MACHINE_ID_FILES = ['/etc/machine-id', '/var/lib/dbus/machine-id'];
const SHOWN_HEX = 16;

let known: string | undefined;

/**
 * Names this machine without revealing its machine id. Container images share a machine id, and laptops change the domain of their name:
 * so the name is a hash of the id and the first part of the host name. It only serves to tell a reboot from another machine.
 */
export function hostId(): string {
  known ??= createHash('sha256')
    .update(`${machineId()}\n${hostname().split('.')[0]}`)
    .digest('hex')
    .slice(0, SHOWN_HEX);
  return known;
}

function machineId(): string {
  for (const path of MACHINE_ID_FILES) {
    const text = lookOrNull(() => readFileSync(path, 'utf8'))?.trim();
    if (text) return text;
  }
  return '';
}
