/** `parseInvocation`: turns command-line arguments into an Invocation, by the command's own data. */
import { parseArgs } from 'node:util';
import { type MaydayError, usageError } from '../platform/mayday-error.ts';
import { distance } from '../core/text/distance.ts';
import type { CommandSpec, Invocation } from './command.ts';
import { EXAMPLES } from './examples.ts';

/** All of it but where the command writes. */
export function parseInvocation(
  command: CommandSpec,
  argv: readonly string[],
): Omit<Invocation, 'commands' | 'stdout' | 'stderr'> {
  const dashes = argv.indexOf('--');
  const own = dashes === -1 ? argv : argv.slice(0, dashes);
  const rest = dashes === -1 ? [] : argv.slice(dashes + 1);
  const { values, positionals } = parse(command, own);
  const { min, max, usage, command: takesCommand = false } = command.takes;
  if (rest.length > 0 && !takesCommand)
    throw usageError('WRONG_ARGUMENTS', `${command.name} runs no command: nothing may follow --`, [
      ['do', EXAMPLES[command.name]?.[0] ?? `mayday ${command.name} --help`],
    ]);
  if (positionals.length < min || positionals.length > max) {
    throw usageError('WRONG_ARGUMENTS', `${command.name} takes ${usage || 'no arguments'}`, [
      ['happened', `it was given ${positionals.map((arg) => JSON.stringify(arg)).join(' ') || 'nothing'}`],
      ...(positionals.length < min ? whereToFind(usage) : []),
      ['do', `mayday ${command.name} --help`],
    ]);
  }
  const options = values as Invocation['options'];
  return {
    args: positionals,
    rest,
    options,
    json: options['json'] === true,
    onlyPerson: command.onlyPerson?.({ args: positionals, options }) ?? null,
    env: process.env,
    cwd: workingFolder(),
  };
}

function whereToFind(usage: string): readonly (readonly ['do', string])[] {
  if (usage.startsWith('RUN')) return [['do', 'mayday ps lists the runs; @ is the last one']];
  return usage.startsWith('QUESTION') ? [['do', 'mayday inbox lists what waits for you']] : [];
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
    ...(command.hasNoDocument === true ? [] : [['json', { type: 'boolean' as const }] as const]),
    ...command.options.map(
      ({ name, type, multiple = false, short }) =>
        [name, { type, multiple, ...(short === undefined ? {} : { short }) }] as const,
    ),
  ]);
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw wrongOption(command, error);
  }
}

/** Node names the option in quotes, with its short form before it: `-f, --follow`. */
function wrongOption(command: CommandSpec, error: unknown): MaydayError {
  const { code = '', message = '' } = error as { readonly code?: string; readonly message?: string };
  const given = /'(?:-\w, )?(--?[^' ]+)/.exec(message)?.[1] ?? '';
  const help = `mayday ${command.name} --help`;
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    const near = nearest(given, command);
    return usageError('WRONG_OPTION', `${command.name} has no option ${given}`, [
      ['do', near === null ? help : `did you mean ${near}? All of them: ${help}`],
    ]);
  }
  const spec = command.options.find(({ name }) => `--${name}` === given);
  const what =
    spec?.type === 'string'
      ? `${given} takes a value: ${given} ${spec.value ?? 'TEXT'}`
      : `${given} takes no value`;
  return usageError('WRONG_OPTION', what, [['do', help]]);
}

function nearest(given: string, { options, hasNoDocument }: CommandSpec): string | null {
  const general = hasNoDocument === true ? ['help'] : ['json', 'help'];
  const names = [...general, ...options.map(({ name }) => name)].map((name) => `--${name}`);
  const begun = names.filter((name) => name.startsWith(/^-\w$/.test(given) ? `-${given}` : given));
  if (begun.length > 0) return begun.join(' or ');
  if (/^-\w$/.test(given)) return null;
  const [best] = names
    .map((name) => ({ name, far: distance(given, name) }))
    .toSorted((a, b) => a.far - b.far);
  return best !== undefined && best.far <= MAX_TYPOS && given.length > 2 + MAX_TYPOS ? best.name : null;
}

const MAX_TYPOS = 2;
