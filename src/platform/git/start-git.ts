/**
 * `runGit`: starts git plainly, with exactly the environment that is given; once more, if it was killed. `runCovered`: the same inside the
 * cover of agents. `cannotEnter`: the error of a folder in which nothing can be started.
 */
import { spawn } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { MaydayError } from '../mayday-error.ts';
import { personSockets } from '../process/outside-programs.ts';
import { programOutsideHome } from '../process/system-program.ts';
import { tooManyFiles } from '../storage-error.ts';
import type { GitAttributes } from './stand-in.ts';

export interface GitResult {
  readonly exitCode: number | null;
  readonly killedBy: string | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

export interface GitCall {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Variables of git itself, such as the index to use. */
  readonly gitEnv?: Readonly<Record<string, string>>;
  readonly input?: Buffer | string;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number;
  /** Mayday's own folder, in which no agent can write. */
  readonly home?: string | undefined;
  /** An index of Mayday's own: a killed git may leave it locked. */
  readonly ownIndex?: string | undefined;
  /** As they were before the agent; none, where files are not converted. */
  readonly attributes?: GitAttributes | undefined;
  /** Programs that the settings name may run, inside the cover of agents. */
  readonly cover?: GitCover | undefined;
}

/** What a git that runs programs of the person finds of Mayday's own folder. */
export interface GitCover {
  readonly home: string;
  readonly runId: string;
  readonly show: readonly string[];
}

/** Enough for a list of a million long paths; a git that prints more is killed. */
const MAX_STDOUT_BYTES = 256 * 1024 * 1024;
/** Enough for one warning per file of a broken tree, bounded for a hostile one. */
const MAX_STDERR_BYTES = 1024 * 1024;
/** Git commands end in seconds; a first check-out or snapshot of a huge tree may take minutes. */
const GIT_TIMEOUT_MS = 15 * 60_000;

/** Not the one in the person's home, which an agent may have put there, whatever home git itself is told. */
function gitProgram({ PATH }: NodeJS.ProcessEnv): string {
  return programOutsideHome('git', { PATH, HOME: homedir() }, isFitGit);
}

/** `merge-tree --write-tree` came with 2.38. */
function isFitGit(version: string): boolean {
  const [, major = 0, minor = 0] = (/(\d+)\.(\d+)/.exec(version) ?? []).map(Number);
  return major > 2 || (major === 2 && minor >= 38);
}

/** A git that the system or a person killed is tried once more, before a person is asked about it. */
export async function runGit(call: GitCall): Promise<GitResult> {
  const limit = new AbortController();
  const abort = () => limit.abort();
  // Node's own timeout would keep this process alive until its end, also for a child that never started.
  const timer = setTimeout(abort, call.timeoutMs ?? GIT_TIMEOUT_MS);
  call.signal?.addEventListener('abort', abort, { once: true });
  try {
    for (let isLast = false; ; isLast = true) {
      call.signal?.throwIfAborted();
      const result = await startGit(call, limit);
      call.signal?.throwIfAborted();
      if (result.killedBy !== 'SIGKILL' || limit.signal.aborted || isLast) return result;
      // One in the person's repository may be the lock of another git.
      if (call.ownIndex !== undefined) rmSync(`${call.ownIndex}.lock`, { force: true });
    }
  } finally {
    clearTimeout(timer);
    call.signal?.removeEventListener('abort', abort);
  }
}

/** Filters, ssh and helpers for passwords are programs that an agent may have changed: they find no more of Mayday than an agent does. */
export async function runCovered(
  { args, cwd, input, signal, timeoutMs = GIT_TIMEOUT_MS, cover }: GitCall,
  env: Record<string, string>,
): Promise<GitResult> {
  const { runCommand } = await import('../process/run-command.ts');
  const { home = '', runId = '', show = [] } = cover ?? {};
  const {
    exitCode,
    signal: killedBy,
    timedOut,
    isLost,
    output,
  } = await runCommand({
    argv: [gitProgram(env), ...args],
    cwd,
    env,
    timeoutMs,
    ...(input === undefined ? {} : { input }),
    signal,
    hidden: { home, show, inside: { runId, blocker: null }, ...personSockets() },
  });
  const end = timedOut || isLost ? TOO_LONG : { exitCode, killedBy };
  return { ...end, stdout: Buffer.from(output), stderr: output };
}

async function startGit(call: GitCall, limit: AbortController): Promise<GitResult> {
  return await new Promise<GitResult>((resolve, reject) => {
    const child = spawn(gitProgram(call.env), call.args, {
      cwd: call.cwd,
      env: call.env,
      stdio: [call.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      // A group of its own: a key of the terminal does not end it, and it is killed with what it started.
      detached: true,
    });
    const kill = () => killGroup(child.pid);
    limit.signal.addEventListener('abort', kill, { once: true });
    if (limit.signal.aborted) kill();
    const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
    let [stdoutBytes, stderrBytes] = [0, 0];
    child.stdout?.on('data', (chunk: Buffer) => {
      stdoutBytes += chunk.length;
      if (stdoutBytes > MAX_STDOUT_BYTES) limit.abort();
      else stdout.push(chunk);
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      stderrBytes += chunk.length;
      if (stderrBytes <= MAX_STDERR_BYTES) stderr.push(chunk);
    });
    // Git may end before it has read all input; its exit status tells whether it failed.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(call.input);
    child.on('error', (cause: NodeJS.ErrnoException) => reject(gitDidNotStart(call, cause)));
    // What a killed git leaves running would hold its pipes open, and work beside the next try.
    child.on('exit', (_, killedBy) => killedBy !== null && kill());
    child.on('close', (exitCode, killedBy) => {
      limit.signal.removeEventListener('abort', kill);
      // It may have ended before it could be killed for it.
      const end = stdoutBytes > MAX_STDOUT_BYTES ? TOO_LONG : { exitCode, killedBy };
      resolve({ ...end, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr).toString('utf8') });
    });
  });
}

const TOO_LONG = { exitCode: null, killedBy: 'SIGKILL' } as const;

function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // All of it has ended.
  }
}

function gitDidNotStart({ cwd }: GitCall, cause: NodeJS.ErrnoException): MaydayError {
  if (cause.code === 'EMFILE' || cause.code === 'ENFILE') return tooManyFiles(cause.code, cause);
  // The system reports a working folder that is missing or forbidden as a missing or forbidden command.
  const isMissing = cause.code === 'ENOENT' && !existsSync(cwd);
  if (isMissing || cause.code === 'EACCES')
    return cannotEnter(cwd, isMissing ? 'it does not exist any more' : undefined).causedBy(cause);
  return new MaydayError('GIT_NOT_STARTED', `git could not be started (${cause.code ?? cause.message})`, [
    ['do', 'put git on your PATH; `mayday doctor` says what else is missing'],
  ]).causedBy(cause);
}

export function cannotEnter(folder: string, why = 'its mode forbids it'): MaydayError {
  return new MaydayError('FOLDER_NOT_READABLE', `${folder} cannot be entered: ${why}`, [
    ['did', 'nothing: git could not be started there'],
    ['do', 'check that the folder exists, and its owner and mode (ls -ld)'],
  ]);
}
