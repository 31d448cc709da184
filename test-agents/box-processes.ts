/** Processes of one box, found by their home directory: what a CLI or a supervisor left behind, whoever its parent is now. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

export interface BoxProcess {
  readonly pid: number;
  readonly program: string;
  readonly argv: readonly string[];
}

export function boxProcesses(root: string): readonly BoxProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((name) => look(Number(name), root) ?? []);
}

export function killBox(root: string): void {
  for (const { pid } of boxProcesses(root))
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended by itself.
    }
}

function look(pid: number, root: string): BoxProcess | null {
  try {
    if (!readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`HOME=${root}`)) return null;
    if (/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))) return null;
    const argv = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    return { pid, program: readlinkSync(`/proc/${pid}/exe`), argv };
  } catch {
    return null;
  }
}
