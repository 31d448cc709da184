/** `groupMembers`: finds the processes of an attempt at level process-group, the weakest level, which every machine offers. */
import {
  descendantsOf,
  HAS_PROC,
  listProcesses,
  type ProcessRow,
  readOrNull,
} from '../process/proc-table.ts';
import type { ProcessIdentity } from '../process/process-identity.ts';

export const MARKER_VARIABLE = 'MAYDAY_MARKER';

/** A process that was once a member stays a member as long as it lives; the oldest attempts are forgotten first. */
const REMEMBERED_ATTEMPTS = 512;
const remembered = new Map<string, ReadonlyMap<number, number>>();

/**
 * Reading environments is slow: a frequent look skips processes that had no marker. Such a process gets one only where it becomes another
 * program, which has another name.
 */
const STRANGERS_KEPT = 16_384;
const strangers = new Map<number, ProcessRow>();

/**
 * Members are the agent's own session, all descendants of the attendant, and every process that was started with the attempt's marker in
 * its environment. A process that leaves the session, loses its parent *and* clears its environment between two looks escapes;
 * `mayday doctor` says so.
 */
export function groupMembers(
  marker: string,
  attendant: ProcessIdentity,
  leader: ProcessIdentity | null,
  options: { readonly readAgain: boolean },
): ProcessRow[] {
  const table = listProcesses();
  const known = remembered.get(marker);
  const leaderIsThere = table.some((row) => isIt(row, leader));
  const members = new Map<number, ProcessRow>();
  for (const row of table) {
    const isMember =
      known?.get(row.pid) === row.startTicks ||
      isIt(row, leader) ||
      (leaderIsThere && inSession(row, leader)) ||
      carries(row, marker, options.readAgain);
    if (isMember) members.set(row.pid, row);
  }
  const parents = table.some((row) => isIt(row, attendant)) ? [attendant.pid] : [];
  for (const row of descendantsOf([...members.keys(), ...parents], table)) members.set(row.pid, row);
  members.delete(attendant.pid);
  remember(marker, members.values());
  return [...members.values()];
}

function isIt(row: ProcessRow, identity: ProcessIdentity | null): boolean {
  return row.pid === identity?.pid && row.startTicks === identity.startTicks;
}

/** Valid only while the leader lives: later its number may name the session of another program. */
function inSession(row: ProcessRow, leader: ProcessIdentity | null): boolean {
  return row.sessionId === leader?.pid || row.groupId === leader?.pid;
}

function carries(row: ProcessRow, marker: string, readAgain: boolean): boolean {
  if (!HAS_PROC) return false;
  const stranger = readAgain ? undefined : strangers.get(row.pid);
  if (stranger?.startTicks === row.startTicks && stranger.command === row.command) return false;
  const environment = readOrNull(`/proc/${row.pid}/environ`);
  // The environment is empty while a program is being loaded: that proves nothing.
  if (environment === null || environment === '') return false;
  const prefix = `${MARKER_VARIABLE}=`;
  if (environment.includes(prefix)) return environment.split('\0').includes(prefix + marker);
  if (strangers.size >= STRANGERS_KEPT) strangers.clear();
  strangers.set(row.pid, row);
  return false;
}

function remember(marker: string, rows: Iterable<ProcessRow>): void {
  remembered.delete(marker);
  remembered.set(marker, new Map([...rows].map((row) => [row.pid, row.startTicks])));
  const oldest = remembered.keys().next().value;
  if (remembered.size > REMEMBERED_ATTEMPTS && oldest !== undefined) remembered.delete(oldest);
}
