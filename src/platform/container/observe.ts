/** `observe`, `isEmpty`: what can be seen of an attempt's processes from outside, and whether all of them have ended. */
import { EXIT_FILE, type ExitNote, readNote } from './attempt-files.ts';
import { cgroupCpuMs } from './cgroup.ts';
import { type ContainerHandle, containerStanding, membersOf, type Standing } from './container-handle.ts';
import { type ProcessRow, TICK_MS } from '../process/proc-table.ts';
import { isDead, lookAt, type ProcessState } from '../process/process-identity.ts';

export type Member = Pick<ProcessRow, 'pid' | 'startTicks' | 'command'>;

/** The processes of an attempt at one moment. The keeper that started it and a keeper that adopts it see the same. */
export interface Observation {
  readonly attendant: ProcessState;
  /** Also 'gone' when the leader was never noted and no member is left. */
  readonly leader: ProcessState;
  readonly members: readonly Member[];
  readonly cpuMs: number;
  /** The part of the leader alone; null: it is not known. */
  readonly leaderCpuMs: number | null;
  readonly exit: ExitNote | null;
  /** The leader is stopped (SIGSTOP, or a job-control stop) and does nothing until it is continued. */
  readonly frozen: boolean;
  /** No process lives, neither a member nor the attendant. Only then may another attempt start. */
  readonly empty: boolean;
}

export async function observe(handle: ContainerHandle): Promise<Observation> {
  const rows = membersOf(handle, { readAgain: false });
  const living = rows.filter((row) => row.state !== 'zombie');
  const standing = containerStanding(handle);
  const attendant = standing === 'visible' ? lookAt(handle.attendant) : stateOf(standing);
  const seenLeader = handle.leader === null ? (living[0]?.state ?? 'gone') : lookAt(handle.leader);
  const leader = standing === 'visible' ? seenLeader : stateOf(standing);
  return {
    attendant,
    leader,
    members: living.map(({ pid, startTicks, state, cpuTicks, command }) => ({
      pid,
      startTicks,
      state,
      cpuTicks,
      command,
    })),
    cpuMs: cpuMs(handle, rows),
    leaderCpuMs: leaderCpuMs(handle, rows),
    exit: readNote<ExitNote>(handle.attemptDir, EXIT_FILE),
    frozen: leader === 'stopped',
    empty: living.length === 0 && isDead(leader) && isDead(attendant),
  };
}

/** Whether no member lives and the attendant has ended. It reads everything anew. */
export async function isEmpty(handle: ContainerHandle): Promise<boolean> {
  const standing = containerStanding(handle);
  if (standing !== 'visible') return standing === 'ended';
  if (!isDead(lookAt(handle.attendant))) return false;
  if (handle.leader !== null && !isDead(lookAt(handle.leader))) return false;
  return membersOf(handle).every((row) => row.state === 'zombie');
}

function stateOf(standing: Exclude<Standing, 'visible'>): ProcessState {
  return standing === 'ended' ? 'gone' : 'unseen';
}

function cpuMs(handle: ContainerHandle, rows: readonly ProcessRow[]): number {
  const exact = handle.cgroupPath === undefined ? null : cgroupCpuMs(handle.cgroupPath);
  return exact ?? rows.reduce((sum, row) => sum + row.cpuTicks, 0) * TICK_MS;
}

function leaderCpuMs({ leader }: ContainerHandle, rows: readonly ProcessRow[]): number | null {
  const own = rows.find(({ pid, startTicks }) => pid === leader?.pid && startTicks === leader.startTicks);
  return own === undefined ? null : own.cpuTicks * TICK_MS;
}
