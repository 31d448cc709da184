import { setTimeout as sleep } from 'node:timers/promises';
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

/**
 * The rungs of the stop ladder. Each looks at identities again right before it signals, takes the members from the container
 * (never from a name), and says nothing about success: that is for `isEmpty` to see.
 */

/** A killed process is gone and its exit noted within milliseconds; only an attendant that is slower is ended itself. */
const DEATH_GRACE_MS = 1_000;
/** A fork bomb outruns one pass of signals; stopped first and killed after, it loses within a few. */
const KILL_PASSES = 10;
const POLL_MS = 20;

/** Asks the agent itself, as its own command line would be asked: its tools are its own to stop. */
export function signalLeader(handle: ContainerHandle, signal: NodeJS.Signals): boolean {
  if (handle.leader === null) return false;
  if (lookAt(handle.leader) === 'stopped' && signal !== 'SIGCONT') send(handle.leader, 'SIGCONT');
  return send(handle.leader, signal);
}

/** Wakes what was stopped: the agent, its children, and an attendant that somebody stopped. */
export function resumeFrozen(handle: ContainerHandle): void {
  for (const row of membersOf(handle)) if (row.state === 'stopped') signalRow(row, 'SIGCONT');
  if (lookAt(handle.attendant) === 'stopped') send(handle.attendant, 'SIGCONT');
}

export function terminate(handle: ContainerHandle): void {
  for (const row of membersOf(handle)) {
    // TERM first: a stopped process takes it the moment it is continued, and runs nothing else in between.
    signalRow(row, 'SIGTERM');
    if (row.state === 'stopped') signalRow(row, 'SIGCONT');
  }
  if (lookAt(handle.attendant) === 'stopped') send(handle.attendant, 'SIGCONT');
}

export async function kill(handle: ContainerHandle): Promise<void> {
  killMembers(handle);
  if (lookAt(handle.attendant) === 'stopped') send(handle.attendant, 'SIGCONT');
  // Death takes the kernel a moment, with or without an attendant to tell of it.
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

/** The rung after which the container was seen empty; 'unkillable' if it never was. */
export type StopOutcome = 'soft' | 'term' | 'kill' | 'unkillable';

export async function stopLadder(handle: ContainerHandle, options: LadderOptions): Promise<StopOutcome> {
  if (options.softSignal !== null && signalLeader(handle, options.softSignal)) {
    const leader = handle.leader as ProcessIdentity;
    await until(async () => !isAlive(leader), options.softMs, options.signal);
    // The agent went as asked; children that it left behind have no claim to the rest of its time.
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
  for (;;) {
    if (await done()) return true;
    if (performance.now() >= deadline) return false;
    await sleep(POLL_MS, undefined, signal === undefined ? {} : { signal });
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
    // EPERM: it became another user's; the container still counts it as a member.
    if (hasVanished(error) || (error as NodeJS.ErrnoException).code === 'EPERM') return false;
    throw error;
  }
}
