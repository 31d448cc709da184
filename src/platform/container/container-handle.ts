/**
 * `ContainerHandle`: a started container as plain data. `membersOf`, `containerStanding`: its processes, and whether this process can see
 * them.
 */
import type { ContainerLevel, HidingNote } from './attempt-files.ts';
import { cgroupMembers } from './cgroup.ts';
import { descendantsOf, listProcesses, type ProcessRow, readProcess } from '../process/proc-table.ts';
import { groupMembers } from './process-group.ts';
import { bootId, lookAt, type ProcessIdentity, seenFromHere } from '../process/process-identity.ts';
import { askWitness } from './witness.ts';

/** It is written into the journal when an attempt starts; the keeper that adopts the attempt after a crash reads it. */
export interface ContainerHandle {
  readonly level: ContainerLevel;
  readonly marker: string;
  readonly attendant: ProcessIdentity;
  /** null if the attendant died between starting the agent and noting it; the members still tell which processes live. */
  readonly leader: ProcessIdentity | null;
  /** Level pid-namespace: the first process of the namespace; when it ends, all processes inside end. */
  readonly first?: ProcessIdentity;
  readonly cgroupPath?: string;
  /** The lock that its processes hold (see witness.ts). */
  readonly witness?: string;
  /** Whether Mayday's own folder was hidden from the agent; absent in older journals and where it was not wanted. */
  readonly hiding?: HidingNote;
  /** A person said that the processes are gone; it counts only where they cannot be seen. */
  readonly declaredGone?: boolean;
  readonly attemptDir: string;
}

export interface MemberOptions {
  /** False for the frequent look, which may skip environments that were read before. */
  readonly readAgain?: boolean;
}

/**
 * visible: all its living processes can be seen. ended: its processes cannot be seen from here, but have ended. held: they cannot be
 * seen from here, and the witness says that one of them lives. unseen: they cannot be seen, and it is not known whether they live.
 */
export type Standing = 'visible' | 'ended' | 'held' | 'unseen';

export function containerStanding(handle: ContainerHandle): Standing {
  if (lookAt(handle.attendant) !== 'unseen') return 'visible';
  if (handle.witness !== undefined && handle.attendant.bootId === bootId()) {
    const asked = askWitness(handle.attemptDir, handle.witness);
    if (asked !== 'unknown') return asked === 'held' ? 'held' : 'ended';
  }
  return handle.declaredGone === true ? 'ended' : 'unseen';
}

/** The agent and all processes it started, with zombies; the attendant's own processes are left out. */
export function membersOf(recorded: ContainerHandle, options: MemberOptions = {}): ProcessRow[] {
  if (recorded.attendant.bootId !== bootId() || containerStanding(recorded) !== 'visible') return [];
  const handle = byNumbersHere(recorded);
  switch (handle.level) {
    case 'cgroup':
      return cgroupMembers(handle.cgroupPath ?? '')
        .filter((pid) => pid !== handle.attendant.pid)
        .map(readProcess)
        .filter((row) => row !== null);
    case 'pid-namespace': {
      const table = listProcesses();
      const first = table.find(
        (row) => row.pid === handle.first?.pid && row.startTicks === handle.first.startTicks,
      );
      if (first === undefined) return [];
      return descendantsOf([first.pid], table).filter((row) => row.pid !== handle.attendant.pid);
    }
    case 'process-group':
      return groupMembers(handle.marker, handle.attendant, handle.leader, {
        readAgain: options.readAgain ?? true,
      });
  }
}

function byNumbersHere(handle: ContainerHandle): ContainerHandle {
  const here = (identity: ProcessIdentity): ProcessIdentity => {
    const seen = seenFromHere(identity);
    return typeof seen === 'string' ? { ...identity, pid: 0 } : seen;
  };
  return {
    ...handle,
    attendant: here(handle.attendant),
    leader: handle.leader === null ? null : here(handle.leader),
    ...(handle.first === undefined ? {} : { first: here(handle.first) }),
  };
}
