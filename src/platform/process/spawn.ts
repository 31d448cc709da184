/**
 * `spawnDetached`, `spawnPiped`, `runShell`, `spawnOutliving`, `startTime`: the short ways to start a program.
 */
import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Readable, Writable } from 'node:stream';

/** Starts a process of Mayday itself that outlives its terminal, with its own session and its log in a file. */
export function spawnDetached(
  argv: readonly string[],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv; readonly logFile: string },
): number | undefined {
  mkdirSync(dirname(options.logFile), { recursive: true, mode: 0o700 });
  const log = openSync(options.logFile, 'a', 0o600);
  try {
    const [command = '', ...args] = argv;
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: options.env,
      detached: true,
      stdio: ['ignore', log, log],
    });
    // If a keeper cannot be started, its run has no owner: the caller checks that, not this handle.
    child.on('error', () => {});
    child.unref();
    return child.pid;
  } finally {
    closeSync(log);
  }
}

export type PipedProcess = ChildProcessByStdio<Writable, Readable, null>;

/** Starts a program whose standard input and output belong to the caller; what it says on stderr goes where ours goes. */
export function spawnPiped(
  [program = '', ...args]: readonly string[],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): PipedProcess {
  return spawn(program, args, { ...options, stdio: ['pipe', 'pipe', 'inherit'] });
}

const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;

/** A shell command of the rehearsal agent. Mayday supervises that agent, so it needs no limit here. */
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

/** The milliseconds that a Node program takes from its start to its end; what it prints is thrown away. */
export function startTime(args: readonly string[], env: NodeJS.ProcessEnv): number {
  const begun = performance.now();
  spawnSync(process.execPath, args, { env, stdio: 'ignore' });
  return performance.now() - begun;
}
