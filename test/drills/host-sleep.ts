/** A host that sleeps: nothing of it runs, its clock goes on. Everything is stopped at once and continued at once. */
import { readdirSync, readFileSync } from 'node:fs';

/** The worker and whatever belongs to these runs: attendants, agents, their children. */
export function processesOf(worker: number, runs: ReadonlySet<string>): number[] {
  const found = [worker];
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name) || Number(name) === worker || Number(name) === process.pid) continue;
    try {
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8');
      const environment = readFileSync(`/proc/${name}/environ`, 'utf8');
      const run =
        /\/runs\/([^/\0]+)\/attempts\//.exec(command)?.[1] ??
        /(?:^|\0)MAYDAY_RUN=([^\0]+)/.exec(environment)?.[1];
      if (run !== undefined && runs.has(run)) found.push(Number(name));
    } catch {
      // Ended while we looked.
    }
  }
  return found;
}

export function signalAll(pids: readonly number[], signal: 'SIGSTOP' | 'SIGCONT'): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // Ended by itself.
    }
  }
}
