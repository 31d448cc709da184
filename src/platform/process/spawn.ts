/**
 * `spawnDetached`, `spawnWaiting`, `spawnPiped`, `runShell`, `spawnOutliving`, `startTime`: the short ways to start a program.
 * `speakInto`, `logInto`: give this process its log.
 */
import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process';
import { closeSync, constants, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Readable, Writable } from 'node:stream';

/** Starts a process of Mayday itself that outlives its terminal, with its own session and its log in a file. */
export function spawnDetached(
  argv: readonly string[],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv; readonly logFile: string },
): number | undefined {
  const log = openLog(options.logFile);
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

export function openLog(path: string): number {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  return openSync(path, 'a', 0o600);
}

export interface WaitingProcess {
  /** Gives it its work. Null: it has ended already. */
  readonly tell: (line: string) => number | null;
  /** It has no work: it ends at once. */
  readonly dismiss: () => void;
}

/** Such a process that gets its work by a line on stdin, and ends with its starter if it gets none. Its log comes with the work. */
export function spawnWaiting(
  [command = '', ...args]: readonly string[],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): WaitingProcess {
  const child = spawn(command, args, { ...options, detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  child.on('error', () => {});
  // One that could not be started, for want of file handles, has none.
  const stdin: Writable | undefined = child.stdin;
  stdin?.on('error', () => {});
  child.unref();
  (stdin as { unref?: () => void } | undefined)?.unref?.();
  return {
    tell: (line) => {
      if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return null;
      stdin?.end(`${line}\n`);
      return child.pid;
    },
    dismiss: () => void child.kill('SIGKILL'),
  };
}

/** From here on this process hears nothing, and all that it says goes to the log, also what Node itself says when it fails. */
export function speakInto(logFile: string): void {
  closeSync(openLog(logFile));
  closeSync(0);
  // The kernel gives the lowest number that is free.
  openSync('/dev/null', 'r');
  logInto(logFile);
}

/** The same without a change of what it hears, into a file that is there. */
export function logInto(logFile: string): void {
  const file = openSync(logFile, constants.O_WRONLY | constants.O_APPEND);
  for (const standard of [1, 2]) {
    closeSync(standard);
    openSync(logFile, constants.O_WRONLY | constants.O_APPEND);
  }
  closeSync(file);
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
