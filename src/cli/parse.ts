/** `parseInvocation`: turns command-line arguments into an Invocation, by the command's own data. */
import { parseArgs } from 'node:util';
import { usageError } from '../platform/mayday-error.ts';
import type { CommandSpec, Invocation } from './command.ts';

export function parseInvocation(command: CommandSpec, argv: readonly string[]): Invocation {
  const dashes = argv.indexOf('--');
  const own = dashes === -1 ? argv : argv.slice(0, dashes);
  const rest = dashes === -1 ? [] : argv.slice(dashes + 1);
  const { values, positionals } = parse(command, own);
  const [min, max] = command.positionals;
  if (positionals.length < min || positionals.length > max) {
    throw usageError('WRONG_ARGUMENTS', `mayday ${command.name} takes ${command.usage || 'no arguments'}`, [
      ['happened', `it was given ${positionals.map((arg) => JSON.stringify(arg)).join(' ') || 'nothing'}`],
      ['do', `mayday ${command.name} --help`],
    ]);
  }
  return {
    args: positionals,
    rest,
    options: values as Invocation['options'],
    json: (values as Invocation['options'])['json'] === true,
    env: process.env,
    cwd: workingFolder(),
    stdout: process.stdout,
    stderr: process.stderr,
  };
}

/** `process.cwd` throws when the working directory was removed. */
function workingFolder(): string {
  try {
    return process.cwd();
  } catch {
    throw usageError('NO_WORKING_FOLDER', 'the folder that you are in does not exist any more', [
      ['do', 'cd to a folder that does'],
    ]);
  }
}

function parse(command: CommandSpec, argv: readonly string[]) {
  const options = Object.fromEntries([
    ['json', { type: 'boolean' as const }],
    ...command.options.map(
      ({ name, type, multiple = false, short }) =>
        [name, { type, multiple, ...(short === undefined ? {} : { short }) }] as const,
    ),
  ]);
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw usageError('WRONG_OPTION', error instanceof Error ? error.message : String(error), [
      ['do', `mayday ${command.name} --help`],
    ]);
  }
}
