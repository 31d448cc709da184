/**
 * `readProcess`, `listProcesses`, `descendantsOf`: read the process table, from /proc on Linux and from `ps` elsewhere. `readOrNull`: the
 * text of a file that the kernel makes.
 */
import { systemProgram } from './system-program.ts';
import { execFileSync } from 'node:child_process';
import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import { lookOrNull } from '../file/vanished.ts';

/** One line of the process table. */
export interface ProcessRow {
  readonly pid: number;
  readonly parentPid: number;
  readonly groupId: number;
  readonly sessionId: number;
  readonly state: LiveState;
  /** User and system time of the process and the children it has waited for, in clock ticks of 10 ms. */
  readonly cpuTicks: number;
  /** Linux: clock ticks since boot. Elsewhere: seconds since 1970, which two processes may share. */
  readonly startTicks: number;
  readonly command: string;
  /** A thread of the kernel has no program, folder or file of its own. */
  readonly isKernel: boolean;
}

export type LiveState = 'running' | 'stopped' | 'uninterruptible' | 'zombie';

/** USER_HZ is 100 on every Linux that Node runs on; the number is part of the kernel's interface. */
export const TICK_MS = 10;

export const HAS_PROC = process.platform === 'linux';

/** `ps` answers in milliseconds; on a machine that needs longer than this, waiting does not help. */
const PS_TIMEOUT_MS = 5_000;
const PS_OUTPUT_BYTES = 16 * 1024 * 1024;

export function readProcess(pid: number): ProcessRow | null {
  if (!Number.isSafeInteger(pid) || pid <= 0) return null;
  if (!HAS_PROC) return psRows(['-p', String(pid)])[0] ?? null;
  const text = readOrNull(`/proc/${pid}/stat`);
  return text === null ? null : parseStat(text, pid);
}

export function listProcesses(): ProcessRow[] {
  if (!HAS_PROC) return psRows(['-ax']);
  return listPids()
    .map(readProcess)
    .filter((row) => row !== null);
}

export function listPids(): number[] {
  return readdirSync('/proc')
    .filter((name) => name.charCodeAt(0) >= 48 && name.charCodeAt(0) <= 57)
    .map(Number);
}

/** All processes below `roots` in one reading of the table; the roots themselves are left out. */
export function descendantsOf(roots: readonly number[], table: readonly ProcessRow[]): ProcessRow[] {
  const children = Map.groupBy(table, (row) => row.parentPid);
  const found = new Map<number, ProcessRow>();
  const open = [...roots];
  for (let pid = open.pop(); pid !== undefined; pid = open.pop()) {
    for (const child of children.get(pid) ?? []) {
      if (found.has(child.pid)) continue;
      found.set(child.pid, child);
      open.push(child.pid);
    }
  }
  return [...found.values()];
}

/** The numbers of the process in its PID namespaces, from that of this process down to its own; empty if it is gone. */
export function namespacePids(pid: number): number[] {
  const line = readOrNull(`/proc/${pid}/status`)?.match(/^NSpid:\s*([\d\t ]+)$/m)?.[1];
  return line === undefined ? [] : line.trim().split(/\s+/).map(Number);
}

export function readOrNull(path: string): string | null {
  return lookOrNull(() => {
    const file = openSync(path, 'r');
    try {
      let text = '';
      for (let read = readSync(file, part); read > 0; read = readSync(file, part))
        text += part.toString('latin1', 0, read);
      return text;
    } finally {
      closeSync(file);
    }
  });
}

/** One for all: `readFileSync` allocates 64 KB for each file whose size the kernel does not tell. */
const part = Buffer.alloc(16 * 1024);

/** PF_KTHREAD of the kernel; no program can set it. */
const KERNEL_THREAD = 0x20_00_00;

function parseStat(text: string, pid: number): ProcessRow | null {
  // The name may contain spaces and brackets: only the text after the *last* bracket is safe to split.
  const close = text.lastIndexOf(')');
  const fields = text.slice(close + 2).split(' ');
  if (close < 0 || fields.length < 20) return null;
  const number = (index: number): number => Number(fields[index]);
  return {
    pid,
    parentPid: number(1),
    groupId: number(2),
    sessionId: number(3),
    state: stateOf(fields[0] ?? '', pid),
    cpuTicks: number(11) + number(12) + number(13) + number(14),
    startTicks: number(19),
    command: text.slice(text.indexOf('(') + 1, close),
    isKernel: (number(6) & KERNEL_THREAD) !== 0,
  };
}

function stateOf(letter: string, pid: number): LiveState {
  switch (letter[0]) {
    case 'D':
    case 'U':
      return 'uninterruptible';
    // Lower-case t is a stop by a debugger: a person holds the process on purpose, so it is not frozen.
    case 'T':
      return 'stopped';
    case 'Z':
    case 'X':
    case 'x':
      return hasOtherThreads(pid) ? 'running' : 'zombie';
    default:
      return 'running';
  }
}

/** A program whose first thread has ended shows Z while its other threads still run. */
function hasOtherThreads(pid: number): boolean {
  return (lookOrNull(() => readdirSync(`/proc/${pid}/task`)) ?? []).length > 1;
}

function psRows(selection: readonly string[]): ProcessRow[] {
  let text: string;
  try {
    const columns = ['-o', 'pid=,ppid=,pgid=,stat=,time=,lstart=,comm='];
    text = execFileSync(systemProgram('ps'), [...selection, ...columns], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C' },
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: PS_TIMEOUT_MS,
      maxBuffer: PS_OUTPUT_BYTES,
    });
  } catch {
    return [];
  }
  return text
    .split('\n')
    .map(parsePsLine)
    .filter((row) => row !== null);
}

/** `  501   1   501 Ss   0:00.04 Mon Jan  2 15:04:05 2026 node`; exported for its test, which runs on Linux. */
export function parsePsLine(line: string): ProcessRow | null {
  const fields = line.trim().split(/\s+/);
  const [pid, parent, group, state, time, , month, day, clock, year, ...command] = fields;
  if (command.length === 0) return null;
  return {
    pid: Number(pid),
    parentPid: Number(parent),
    groupId: Number(group),
    sessionId: 0,
    state: stateOf(state ?? '', Number(pid)),
    cpuTicks: Math.round(secondsOf(time ?? '') * (1000 / TICK_MS)),
    startTicks: Math.round(Date.parse(`${month} ${day} ${year} ${clock}`) / 1000),
    command: command.join(' '),
    isKernel: false,
  };
}

/** `[[days-]hours:]minutes:seconds` */
function secondsOf(time: string): number {
  const [days, rest] = time.includes('-') ? time.split('-') : ['0', time];
  const clock = (rest ?? '').split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
  return Number(days) * 86_400 + clock;
}
