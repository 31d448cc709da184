/** `processesIn`: the numbers of the processes that work in a folder, as this process sees them. */
import { readdirSync, readlinkSync } from 'node:fs';

export function processesIn(directory: string): string[] {
  return readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && workingDirectory(pid) === directory);
}

function workingDirectory(pid: string): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return '';
  }
}
