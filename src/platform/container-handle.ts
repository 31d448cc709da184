import { type ContainerLevel, STDERR_FILE, STDOUT_FILE } from './attempt-files.ts';
import { cgroupMembers } from './cgroup.ts';
import { descendantsOf, listProcesses, type ProcessRow, readProcess } from './proc-table.ts';
import { groupMembers } from './process-group.ts';
import { bootId, type ProcessIdentity } from './process-identity.ts';

/** Plain data: written into the journal when an attempt starts, read back by whoever adopts it after a crash. */
export interface ContainerHandle {
  readonly level: ContainerLevel;
  readonly marker: string;
  readonly attendant: ProcessIdentity;
  /** null if the attendant died between starting the agent and noting it; the members still tell who lives. */
  readonly leader: ProcessIdentity | null;
  /** Level pid-namespace: the first process of the namespace; when it ends, so does everything inside. */
  readonly first?: ProcessIdentity;
  readonly cgroupPath?: string;
  readonly attemptDir: string;
}

export interface MemberOptions {
  /** A table read by the caller a moment ago; left out, it is read now. */
  readonly table?: readonly ProcessRow[];
  /** False for the frequent look, which may skip environments that were read before. */
  readonly readAgain?: boolean;
}

/** The agent and everything it started, dead-but-unreaped ones included; the attendant's own machinery is left out. */
export function membersOf(handle: ContainerHandle, options: MemberOptions = {}): ProcessRow[] {
  if (handle.attendant.bootId !== bootId()) return [];
  switch (handle.level) {
    case 'cgroup':
      return cgroupMembers(handle.cgroupPath ?? '')
        .filter((pid) => pid !== handle.attendant.pid)
        .map(readProcess)
        .filter((row) => row !== null);
    case 'pid-namespace': {
      const table = options.table ?? listProcesses();
      const first = table.find(
        (row) => row.pid === handle.first?.pid && row.startTicks === handle.first.startTicks,
      );
      if (first === undefined) return [];
      return descendantsOf([first.pid], table).filter((row) => row.pid !== handle.attendant.pid);
    }
    case 'process-group':
      return groupMembers(handle.marker, handle.attendant, handle.leader, {
        ...(options.table === undefined ? {} : { table: options.table }),
        readAgain: options.readAgain ?? true,
      });
  }
}

export const SPOOL_FILES = [STDOUT_FILE, STDERR_FILE] as const;
