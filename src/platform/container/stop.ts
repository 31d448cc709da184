/** `stopLadder`: ends all processes of a container in steps: a soft signal, TERM, KILL. The other exports are its single steps. */
import { EXIT_FILE, readNote } from './attempt-files.ts';
import { cgroupKill } from './cgroup.ts';
import { type ContainerHandle, membersOf } from './container-handle.ts';
import { isEmpty } from './observe.ts';
import type { ProcessRow } from '../process/proc-table.ts';
import {
  identify,
  isAlive,
  lookAt,
  type ProcessIdentity,
  seenFromHere,
} from '../process/process-identity.ts';
import { hasVanished } from '../file/vanished.ts';
import { GrowingPause } from '../growing-pause.ts';

/**
 * Each step checks identities again right before it signals, and takes the members from the container, never from a name. No step
 * tells whether it succeeded: `isEmpty` does.
 */

/** A killed process is gone and its exit noted within milliseconds; an attendant that takes longer than this is killed too. */
const DEATH_GRACE_MS = 1_000;
/** A fork bomb forks faster than one pass of signals kills. When its processes are stopped before they are killed, a few passes suffice. */
const KILL_PASSES = 10;
const LONGEST_PAUSE_MS = 20;

/** Signals only the agent itself, as a person at its terminal would: the agent stops its own tools. */
export function signalLeader(handle: ContainerHandle, signal: NodeJS.Signals): boolean {
  if (handle.leader === null) return false;
  if (lookAt(handle.leader) === 'stopped' && signal !== 'SIGCONT') send(handle.leader, 'SIGCONT');
  return send(handle.leader, signal);
}

export function terminate(handle: ContainerHandle): void {
  for (const row of membersOf(handle)) {
    // TERM comes first: a stopped process gets it at the moment it is continued, and runs nothing before that.
    signalRow(row, 'SIGTERM');
    if (row.state === 'stopped') signalRow(row, 'SIGCONT');
  }
  if (lookAt(handle.attendant) === 'stopped') send(handle.attendant, 'SIGCONT');
}

export async function kill(handle: ContainerHandle): Promise<void> {
  killMembers(handle);
  if (lookAt(handle.attendant) === 'stopped') send(handle.attendant, 'SIGCONT');
  // The kernel needs a moment to end the processes.
  if (await until(() => isEmpty(handle), DEATH_GRACE_MS)) return;
  const leaderIsDead = handle.leader === null || !isAlive(handle.leader);
  if (isAlive(handle.attendant) && (leaderIsDead || readNote(handle.attemptDir, EXIT_FILE) !== null))
    send(handle.attendant, 'SIGKILL');
  if (handle.first !== undefined) send(handle.first, 'SIGKILL');
}

export interface LadderOptions {
  /** null: this agent understands no soft stop. */
  readonly softSignal: NodeJS.Signals | null;
  readonly softMs: number;
  readonly termMs: number;
  readonly killEveryMs: number;
  readonly giveUpMs: number;
  readonly signal?: AbortSignal;
}

/** The step after which the container was seen empty; 'unkillable' if it never was. */
export type StopOutcome = 'soft' | 'term' | 'kill' | 'unkillable';

export async function stopLadder(handle: ContainerHandle, options: LadderOptions): Promise<StopOutcome> {
  if (options.softSignal !== null && signalLeader(handle, options.softSignal)) {
    const leader = handle.leader as ProcessIdentity;
    await until(async () => !isAlive(leader), options.softMs, options.signal);
    // The agent ended as asked; children that it left behind do not get the rest of its time.
    if (!isAlive(leader) && (await until(() => isEmpty(handle), DEATH_GRACE_MS, options.signal)))
      return 'soft';
  }
  terminate(handle);
  if (await until(() => isEmpty(handle), options.termMs, options.signal)) return 'term';
  const deadline = performance.now() + options.giveUpMs;
  do {
    await kill(handle);
    const wait = Math.min(options.killEveryMs, Math.max(0, deadline - performance.now()));
    if (await until(() => isEmpty(handle), wait, options.signal)) return 'kill';
  } while (performance.now() < deadline);
  return 'unkillable';
}

function killMembers(handle: ContainerHandle): void {
  if (handle.level === 'cgroup' && handle.cgroupPath !== undefined) return cgroupKill(handle.cgroupPath);
  for (let pass = 0; pass < KILL_PASSES; pass++) {
    const living = membersOf(handle).filter((row) => row.state !== 'zombie');
    if (living.length === 0) return;
    for (const row of living) signalRow(row, 'SIGSTOP');
    for (const row of living) signalRow(row, 'SIGKILL');
  }
}

async function until(done: () => Promise<boolean>, limitMs: number, signal?: AbortSignal): Promise<boolean> {
  const deadline = performance.now() + limitMs;
  const pause = new GrowingPause(LONGEST_PAUSE_MS);
  for (;;) {
    if (await done()) return true;
    if (performance.now() >= deadline) return false;
    await pause.wait(signal);
  }
}

function signalRow(row: ProcessRow, signal: NodeJS.Signals): boolean {
  const now = identify(row.pid);
  return now !== null && now.startTicks === row.startTicks && send(now, signal);
}

function send(identity: ProcessIdentity, signal: NodeJS.Signals): boolean {
  const here = seenFromHere(identity);
  if (typeof here === 'string' || !isAlive(here)) return false;
  try {
    return process.kill(here.pid, signal);
  } catch (error) {
    // EPERM: the process now belongs to another user; the container still counts it as a member.
    if (hasVanished(error) || (error as NodeJS.ErrnoException).code === 'EPERM') return false;
    throw error;
  }
}
