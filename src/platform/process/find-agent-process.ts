/**
 * `findAgentProcesses`, `lookAtTree`: find agents that Mayday did not start, by their working folder and program name, and observe them.
 * They never signal these processes.
 */
import { readlinkSync } from 'node:fs';
import {
  descendantsOf,
  HAS_PROC,
  listProcesses,
  type ProcessRow,
  readOrNull,
  TICK_MS,
} from './proc-table.ts';
import { identify, lookAt, type ProcessIdentity, type ProcessState } from './process-identity.ts';
import { lookOrNull } from '../file/vanished.ts';

/** Oldest first: an agent is older than the shells it starts in the same folder. Empty on a machine without /proc. */
export function findAgentProcesses(folder: string, program: RegExp): readonly ProcessIdentity[] {
  if (!HAS_PROC) return [];
  return listProcesses()
    .filter((row) => row.state !== 'zombie' && row.pid !== process.pid)
    .filter(({ pid }) => workingFolder(pid) === folder && program.test(programOf(pid)))
    .sort((a, b) => a.startTicks - b.startTicks)
    .map(({ pid }) => identify(pid))
    .filter((identity) => identity !== null);
}

export interface TreeFacts {
  readonly state: ProcessState;
  readonly cpuMs: number;
  /** The part of the process itself; null: it is not known. */
  readonly leaderCpuMs: number | null;
  /** The process itself and all its descendants. */
  readonly members: readonly ProcessRow[];
}

export function lookAtTree(identity: ProcessIdentity): TreeFacts {
  const state = lookAt(identity);
  if (state === 'gone' || state === 'unseen') return { state, cpuMs: 0, leaderCpuMs: null, members: [] };
  const table = listProcesses();
  const own = table.filter((row) => row.pid === identity.pid);
  const members = [...own, ...descendantsOf([identity.pid], table)];
  const cpuMs = members.reduce((sum, row) => sum + row.cpuTicks, 0) * TICK_MS;
  return { state, cpuMs, leaderCpuMs: own[0] === undefined ? null : own[0].cpuTicks * TICK_MS, members };
}

function workingFolder(pid: number): string | null {
  return lookOrNull(() => readlinkSync(`/proc/${pid}/cwd`));
}

/** The program and its first argument: many agents are scripts that node runs. */
function programOf(pid: number): string {
  const words = (readOrNull(`/proc/${pid}/cmdline`) ?? '').split('\0').slice(0, 2);
  return words.map((word) => word.split('/').at(-1) ?? '').join(' ');
}
