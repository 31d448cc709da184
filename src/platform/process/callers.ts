/**
 * `callerSigns`, `clientSigns`: find signs that an agent called this process, or sent what a server of it got: in parent processes and the
 * control group. An agent can empty its own environment. It cannot change the environment and the command lines of its parents, nor its
 * control group.
 */
import { readlinkSync } from 'node:fs';
import { namesIn } from '../file/find-paths.ts';
import { lookOrNull } from '../file/vanished.ts';
import { HAS_PROC, listProcesses, readOrNull, readProcess } from './proc-table.ts';
import { MARKER_VARIABLE } from '../container/process-group.ts';

export interface CallerSigns {
  /** Markers of containers in the environment of this process or of a parent. */
  readonly markers: readonly string[];
  /** Attempt directories of attendants among its parents. */
  readonly attendants: readonly string[];
  /** Names of Mayday's control groups that it is a member of. */
  readonly groups: readonly string[];
}

/** Deeper than any real chain of shells and agents. */
const MAX_DEPTH = 200;

export function callerSigns(env: NodeJS.ProcessEnv = process.env): CallerSigns {
  return signsOf(process.pid, env[MARKER_VARIABLE]);
}

/** Those of the process at the other end of a connection on this machine; none where it cannot be seen, as behind a proxy. */
export function clientSigns(client: { readonly port: number; readonly serverPort: number }): CallerSigns {
  const found = ownersOf(client).map((pid) => signsOf(pid));
  return {
    markers: found.flatMap(({ markers }) => markers),
    attendants: found.flatMap(({ attendants }) => attendants),
    groups: found.flatMap(({ groups }) => groups),
  };
}

function signsOf(of: number, own?: string): CallerSigns {
  const markers = new Set(own === undefined ? [] : [own]);
  const attendants = new Set<string>();
  if (!HAS_PROC) return { markers: [...markers], attendants: [], groups: [] };
  let pid = of;
  for (let depth = 0; depth < MAX_DEPTH && pid > 0; depth += 1) {
    for (const entry of (readOrNull(`/proc/${pid}/environ`) ?? '').split('\0'))
      if (entry.startsWith(`${MARKER_VARIABLE}=`)) markers.add(entry.slice(MARKER_VARIABLE.length + 1));
    const words = (readOrNull(`/proc/${pid}/cmdline`) ?? '').split('\0');
    const at = words.findIndex((word) => /(?:^|\/)attendant\.[jt]s$/.test(word));
    if (at !== -1) attendants.add(words[at + 1] ?? '');
    pid = readProcess(pid)?.parentPid ?? 0;
  }
  attendants.delete('');
  const groups = (readOrNull(`/proc/${of}/cgroup`) ?? '').match(/mayday-[0-9a-f]{24}/g) ?? [];
  return { markers: [...markers], attendants: [...attendants], groups: [...new Set(groups)] };
}

/** The processes that hold the client's end of the connection. */
function ownersOf({ port, serverPort }: { readonly port: number; readonly serverPort: number }): number[] {
  const hex = (number: number) => number.toString(16).toUpperCase().padStart(4, '0');
  const tables = ['tcp', 'tcp6'].map((name) => readOrNull(`/proc/net/${name}`) ?? '').join('\n');
  // Number, both addresses, state, queues, timer, retransmits, user, time-out, inode.
  const row = new RegExp(`^ *\\d+: \\w+:${hex(port)} \\w+:${hex(serverPort)} (?:\\S+ +){6}(\\d+)`, 'm');
  const inode = row.exec(tables)?.[1];
  if (inode === undefined || inode === '0') return [];
  const socket = `socket:[${inode}]`;
  return listProcesses()
    .map(({ pid }) => pid)
    .filter((pid) => namesIn(`/proc/${pid}/fd`).some((fd) => linkOf(`/proc/${pid}/fd/${fd}`) === socket));
}

function linkOf(path: string): string | null {
  return lookOrNull(() => readlinkSync(path));
}
