/**
 * `strangersIn`: finds processes that work inside some folders although none should: their working folder, program or an open file is
 * there. An agent run by root can leave its control group and clear its environment; then only the files it uses show it. These
 * processes are reported, never ended: one of them may be the person's own shell.
 */
import { readdirSync, readlinkSync, realpathSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import {
  descendantsOf,
  HAS_PROC,
  listProcesses,
  type ProcessRow,
  readOrNull,
} from '../process/proc-table.ts';
import { isInside } from '../file/inside.ts';
import { lookOrNull } from '../file/vanished.ts';

export interface Stranger {
  readonly pid: number;
  readonly command: string;
}

/** A server may hold thousands of files open; the first of them are enough. */
const MAX_OPEN_FILES = 256;
const MAX_COMMAND = 120;

/** A process that is just ending may be visible for a moment; one that stays longer than this is a stranger. */
const PATIENCE_MS = 1_000;
const LOOK_EVERY_MS = 25;

/** `sinceTicks`: leaves out processes that started earlier, and their descendants: shells in a terminal, editors. */
export async function strangersIn(
  folders: readonly string[],
  { sinceTicks = null }: { readonly sinceTicks?: number | null } = {},
): Promise<Stranger[]> {
  const end = performance.now() + PATIENCE_MS;
  let found = processesIn(folders, sinceTicks);
  while (found.length > 0 && performance.now() < end) {
    await pause(LOOK_EVERY_MS);
    found = processesIn(folders, sinceTicks);
  }
  return found;
}

function processesIn(folders: readonly string[], sinceTicks: number | null): Stranger[] {
  if (!HAS_PROC) return [];
  const roots = folders.flatMap((folder) => {
    const real = lookOrNull(() => realpathSync(folder));
    return real === null ? [] : [real];
  });
  if (roots.length === 0) return [];
  const table = listProcesses();
  const rows = new Map(table.map((row) => [row.pid, row]));
  const ours = new Set(descendantsOf([process.pid], table).map(({ pid }) => pid));
  for (let pid = process.pid; pid > 0 && !ours.has(pid); pid = rows.get(pid)?.parentPid ?? 0) ours.add(pid);
  return table
    .filter(({ pid, state, isKernel }) => state !== 'zombie' && !isKernel && !ours.has(pid))
    .filter((row) => sinceTicks === null || !comesFromBefore(row, rows, sinceTicks))
    .filter(({ pid }) => placesOf(pid).some((path) => roots.some((root) => isInside(path, root))))
    .map(({ pid, command }) => ({ pid, command: commandOf(pid) ?? command }));
}

/** Init and the user's systemd adopt every orphan, so they do not count as parents. */
function comesFromBefore(
  row: ProcessRow,
  rows: ReadonlyMap<number, ProcessRow>,
  sinceTicks: number,
): boolean {
  for (let up: ProcessRow | undefined = row; up !== undefined && up.pid !== 1; up = rows.get(up.parentPid)) {
    if (up.startTicks < sinceTicks && up.command !== 'systemd') return true;
    // The process was started from outside this namespace, as by `docker exec`.
    if (up.parentPid === 0) return true;
  }
  return false;
}

function placesOf(pid: number): string[] {
  const files = lookOrNull(() => readdirSync(`/proc/${pid}/fd`)) ?? [];
  const links = ['cwd', 'exe', ...files.slice(0, MAX_OPEN_FILES).map((name) => `fd/${name}`)];
  return links.flatMap((name) => lookOrNull(() => readlinkSync(`/proc/${pid}/${name}`)) ?? []);
}

function commandOf(pid: number): string | null {
  const words = readOrNull(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' ').trim() ?? '';
  return words === '' ? null : words.slice(0, MAX_COMMAND);
}
