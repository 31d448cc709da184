/** Processes of one box, found by a mark in their environment: what a CLI left behind, whoever its parent is now. */
import { readdirSync, readFileSync } from 'node:fs';

export const MARK = 'MAYDAY_TEST_BOX';

export function markedProcesses(mark: string): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid && isMarked(pid, mark));
}

function isMarked(pid: number, mark: string): boolean {
  try {
    return (
      readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`${MARK}=${mark}`) &&
      !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
    );
  } catch {
    return false;
  }
}

export function killMarked(mark: string): void {
  for (const pid of markedProcesses(mark))
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended by itself.
    }
}
