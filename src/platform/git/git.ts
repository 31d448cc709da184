/**
 * `runGit`, `personGit`, `guardedGit`: run the git binary; no shell reads their words as its own. Three functions call it, with
 * different configuration:
 * - `personGit`: the person's own configuration, filters and hooks; only before an agent has started.
 * - `guardedGit`: on the person's repository at any time; no program that the repository's configuration names is run.
 * - `shadowGit` (shadow-git.ts): on Mayday's own repositories; only Mayday's configuration is read.
 * `expectGit`: throws if a call failed. `lineOf`: its one line of output.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { MaydayError } from '../mayday-error.ts';
import { runBySmallShell, type ShellCall, type ShellEnd } from '../process/small-shell.ts';
import { programOutsideHome } from '../process/system-program.ts';
import { diskFull, tooManyFiles } from '../storage-error.ts';

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
  /** The person's hooks and filters may: what they start must not get pipes that other calls use. */
  readonly mayLeaveProcesses?: boolean;
}

/** Enough for a list of a million long paths; a git that prints more is killed. */
const MAX_STDOUT_BYTES = 256 * 1024 * 1024;
/** Enough for one warning per file of a broken tree, bounded for a hostile one. */
const MAX_STDERR_BYTES = 1024 * 1024;
/** Git commands end in seconds; a first check-out or snapshot of a huge tree may take minutes. */
const GIT_TIMEOUT_MS = 15 * 60_000;

/** Variables that would point git at another repository or change what it does (they are set when Mayday runs inside a hook). */
const GIT_VARIABLE = /^GIT_/;

/** `merge-tree --write-tree` came with 2.38. */
function isFitGit(version: string): boolean {
  const [, major = 0, minor = 0] = (/(\d+)\.(\d+)/.exec(version) ?? []).map(Number);
  return major > 2 || (major === 2 && minor >= 38);
}

export async function runGit(call: GitCall): Promise<GitResult> {
  call.signal?.throwIfAborted();
  const limit = new AbortController();
  const abort = () => limit.abort();
  // Node's own timeout would keep this process alive until its end, also for a child that never started.
  const timer = setTimeout(abort, call.timeoutMs ?? GIT_TIMEOUT_MS);
  call.signal?.addEventListener('abort', abort, { once: true });
  let stdout: Buffer[] = [];
  let stderr: Buffer[] = [];
  let stdoutBytes = 0;
  let stderrBytes = 0;
  const watched: ShellCall = {
    program: programOutsideHome('git', call.env, isFitGit),
    args: call.args,
    cwd: call.cwd,
    env: call.env,
    input: call.input,
    signal: limit.signal,
    onStdout: (chunk) => {
      stdoutBytes += chunk.length;
      if (stdoutBytes > MAX_STDOUT_BYTES) abort();
      else stdout.push(chunk);
    },
    onStderr: (chunk) => {
      stderrBytes += chunk.length;
      if (stderrBytes <= MAX_STDERR_BYTES) stderr.push(chunk);
    },
  };
  try {
    let end = call.mayLeaveProcesses ? null : await runBySmallShell(watched);
    if (end === null) {
      [stdout, stderr, stdoutBytes, stderrBytes] = [[], [], 0, 0];
      end = await runByItself(watched);
    }
    call.signal?.throwIfAborted();
    // It may have ended before it could be killed for it.
    if (stdoutBytes > MAX_STDOUT_BYTES) end = { exitCode: null, killedBy: 'SIGKILL' };
    return { ...end, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr).toString('utf8') };
  } finally {
    clearTimeout(timer);
    call.signal?.removeEventListener('abort', abort);
  }
}

async function runByItself(call: ShellCall): Promise<ShellEnd> {
  return await new Promise<ShellEnd>((resolve, reject) => {
    const child = spawn(call.program, call.args, {
      cwd: call.cwd,
      env: call.env,
      stdio: [call.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    const abort = () => child.kill('SIGKILL');
    call.signal.addEventListener('abort', abort, { once: true });
    if (call.signal.aborted) abort();
    child.stdout?.on('data', call.onStdout);
    child.stderr?.on('data', call.onStderr);
    // Git may end before it has read all input; its exit status tells whether it failed.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(call.input);
    child.on('error', (cause: NodeJS.ErrnoException) => reject(gitDidNotStart(call, cause)));
    child.on('close', (exitCode, killedBy) => resolve({ exitCode, killedBy }));
  });
}

function gitDidNotStart({ cwd }: ShellCall, cause: NodeJS.ErrnoException): MaydayError {
  if (cause.code === 'EMFILE' || cause.code === 'ENFILE') return tooManyFiles(cause.code, cause);
  // The system reports a working folder that is missing or forbidden as a missing or forbidden command.
  const isMissing = cause.code === 'ENOENT' && !existsSync(cwd);
  if (isMissing || cause.code === 'EACCES')
    return new MaydayError(
      'FOLDER_NOT_READABLE',
      `${cwd} cannot be entered: ${isMissing ? 'it does not exist any more' : 'its mode forbids it'}`,
      [
        ['did', 'nothing: git could not be started there'],
        ['do', 'check that the folder exists, and its owner and mode (ls -ld)'],
      ],
    ).causedBy(cause);
  return new MaydayError('GIT_NOT_STARTED', `git could not be started (${cause.code ?? cause.message})`, [
    ['do', 'put git on your PATH; `mayday doctor` says what else is missing'],
  ]).causedBy(cause);
}

export async function personGit(call: GitCall): Promise<GitResult> {
  return await runGit({
    ...call,
    mayLeaveProcesses: call.mayLeaveProcesses ?? true,
    env: { ...personEnvironment(call.env), ...call.gitEnv },
  });
}

/** Switches off everything that the repository's configuration could start. */
export async function guardedGit(
  call: GitCall,
  settings: readonly (readonly [key: string, value: string])[] = [],
): Promise<GitResult> {
  return await runGit({
    ...call,
    env: {
      ...personEnvironment(call.env),
      GIT_OPTIONAL_LOCKS: '0',
      ...settingsEnvironment([...GUARDS, ...settings]),
      ...call.gitEnv,
    },
  });
}

/** Settings that override every configuration file, in a form that also allows keys with `=` in them. */
export function settingsEnvironment(
  settings: readonly (readonly [key: string, value: string])[],
): Record<string, string> {
  const variables: Record<string, string> = { GIT_CONFIG_COUNT: String(settings.length) };
  for (const [index, [key, value]] of settings.entries()) {
    variables[`GIT_CONFIG_KEY_${index}`] = key;
    variables[`GIT_CONFIG_VALUE_${index}`] = value;
  }
  return variables;
}

const GUARDS: readonly (readonly [string, string])[] = [
  ['core.hooksPath', '/dev/null'],
  // Git refuses the worktree of an agent that is another user; nothing that the repository names is run anyway.
  ['safe.directory', '*'],
  ['core.fsmonitor', 'false'],
  ['core.sshCommand', 'false'],
  ['core.askPass', ''],
  ['core.editor', 'false'],
  ['core.pager', 'cat'],
  ['core.alternateRefsCommand', 'false'],
  ['credential.helper', ''],
  ['diff.external', ''],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['protocol.allow', 'never'],
  ['submodule.recurse', 'false'],
  ['commit.gpgSign', 'false'],
  ['gpg.program', 'false'],
];

function personEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !GIT_VARIABLE.test(name));
  return { ...Object.fromEntries(kept), LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0' };
}

/** Throws when git failed, for callers that do not handle a failure themselves. */
export function expectGit(result: GitResult, doing: string): GitResult {
  if (result.exitCode === 0) return result;
  throw gitFailed(result, doing);
}

export function gitFailed(result: GitResult, doing: string): MaydayError {
  const line = firstLine(result.stderr);
  const [path = 'what git has to write'] = /\/[^:'"]+/.exec(line) ?? [];
  if (/No space left on device|Disk quota exceeded/.test(result.stderr)) return diskFull(path, line);
  if (/Too many open files/.test(result.stderr)) return tooManyFiles('EMFILE', line);
  const how = result.killedBy ? `was ended by ${result.killedBy}` : `ended with ${result.exitCode}`;
  const advice = /Permission denied/.test(result.stderr)
    ? 'check the owner and mode of what git names'
    : 'read the message of git above; run `mayday doctor` if it names no cause';
  return new MaydayError('GIT_FAILED', `git ${how} while ${doing}: ${line}`, [
    ['did', 'nothing was changed by this step beyond what git had finished'],
    ['do', advice],
  ]);
}

function firstLine(text: string): string {
  const line = text.split('\n').find((candidate) => candidate.trim() !== '') ?? 'no message';
  return line.trim().slice(0, 500);
}

/** The output of a command that prints one line, without its line end. */
export function lineOf(result: GitResult): string {
  return result.stdout.toString('utf8').replace(/\n$/, '');
}
