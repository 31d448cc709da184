/** `assertStartable`, `notStarted`: tell why a program cannot start, with a code for each reason (the system reports most as ENOENT). */
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import { isExecutable, isFile, isFolder } from '../file/file-kind.ts';
import { MaydayError, usageError } from '../mayday-error.ts';

export interface Startable {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdinFile: string | null;
}

/** Linux refuses a single argument longer than 32 pages; longer texts are passed by file or stdin. */
const ARGUMENT_LIMIT_BYTES = 128 * 1024 - 1;

export function assertStartable(plan: Startable): void {
  const [command] = plan.argv;
  if (command === undefined || command === '') throw usageError('AGENT_NOT_NAMED', 'no command was given');
  const words = [...plan.argv, plan.cwd, ...Object.entries(plan.env).flat()];
  if (words.some((word) => word.includes('\0')))
    throw usageError('ARGUMENT_HAS_NUL', `a NUL byte cannot be passed to ${show(command)}`);
  if (plan.argv.some((word) => Buffer.byteLength(word) > ARGUMENT_LIMIT_BYTES)) {
    throw usageError(
      'ARGUMENT_TOO_LONG',
      `an argument of ${show(command)} is longer than ${ARGUMENT_LIMIT_BYTES} bytes`,
      [['do', 'give long texts by file or on stdin']],
    );
  }
  if (!isFolder(plan.cwd)) throw workspaceMissing(plan.cwd);
  const found = findCommand(command, plan.cwd, plan.env['PATH'] ?? '');
  if (found === 'missing') throw agentNotFound(command, plan.env['PATH'] ?? '');
  if (found === 'not-executable') throw agentNotExecutable(command);
}

/** The error for a program that passed `assertStartable` but that the system then could not start. */
export function notStarted(plan: Startable, reason: string, systemCode = 'UNKNOWN'): MaydayError {
  const command = plan.argv[0] ?? '';
  switch (systemCode) {
    case 'ENOCWD':
      return workspaceMissing(plan.cwd);
    case 'ENOENT':
      return agentNotFound(command, plan.env['PATH'] ?? '');
    case 'EACCES':
    case 'ENOEXEC':
      return agentNotExecutable(command);
    default:
      return new MaydayError('AGENT_NOT_STARTED', `${show(command)} could not be started: ${reason}`, [
        ['did', 'nothing was started'],
        ['do', 'run `mayday doctor`, which tries the same on this machine'],
      ]);
  }
}

/** Finds a command as the shell does: with a slash it is a path, without one the first executable on PATH. */
export function findCommand(
  command: string,
  cwd: string,
  path: string,
): 'found' | 'missing' | 'not-executable' {
  const candidates = command.includes('/')
    ? [isAbsolute(command) ? command : resolve(cwd, command)]
    : path.split(delimiter).map((folder) => join(resolve(cwd, folder), command));
  const files = candidates.filter(isFile);
  if (files.length === 0) return 'missing';
  return files.some(isExecutable) ? 'found' : 'not-executable';
}

function workspaceMissing(cwd: string): MaydayError {
  return new MaydayError('WORKSPACE_MISSING', `the working directory ${show(cwd)} is not there`, [
    ['did', 'nothing was started'],
    [
      'do',
      'restore the workspace from its checkpoint (`mayday restore`) or start from a directory that exists',
    ],
  ]);
}

function agentNotFound(command: string, path: string): MaydayError {
  const where = command.includes('/') ? 'at that path' : `on PATH (${path === '' ? 'empty' : path})`;
  return new MaydayError('AGENT_NOT_FOUND', `the command ${show(command)} was not found ${where}`, [
    ['did', 'nothing was started'],
    ['do', 'install it, or give its full path'],
  ]);
}

function agentNotExecutable(command: string): MaydayError {
  return new MaydayError('AGENT_NOT_EXECUTABLE', `${show(command)} is there but may not be executed`, [
    ['did', 'nothing was started'],
    ['do', `make it executable (chmod +x) or name its interpreter`],
  ]);
}

function show(text: string): string {
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}...` : text);
}
