/** `runShell`, `spawnOutliving`: shell commands of the rehearsal agent. Mayday supervises that agent, so they need no limits here. */
import { spawn, spawnSync } from 'node:child_process';

const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;

export function runShell(command: string): { readonly exitCode: number | null; readonly output: string } {
  const { status, stdout, stderr } = spawnSync('sh', ['-c', command], {
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    maxBuffer: MAX_OUTPUT_BYTES,
  });
  return { exitCode: status, output: `${stdout}${stderr}` };
}

/** Starts a child in its own session, as real agents start their tools: it would outlive its parent. */
export function spawnOutliving(command: string): void {
  spawn('sh', ['-c', command], { detached: true, stdio: 'ignore' }).unref();
}
