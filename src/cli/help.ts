/** `overviewHelp`, `commandHelp`: help texts, made from the command table. */
import type { CommandSpec, OptionSpec } from './command.ts';

export const VERSION = '0.1.0';

const GROUPS: Readonly<Record<CommandSpec['group'], string>> = {
  run: 'Run',
  look: 'Look',
  decide: 'Decide',
  learn: 'Learn',
  machine: 'Machine',
};
const JSON_OPTION: OptionSpec = { name: 'json', type: 'boolean', help: 'print exactly one JSON document' };

export function overviewHelp(commands: readonly CommandSpec[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length)) + 2;
  const groups = Object.entries(GROUPS).map(([group, title]) => {
    const lines = commands
      .filter((command) => command.group === group)
      .map(({ name, summary, aliases }) => `  ${name.padEnd(width)}${summary}${also(aliases)}`);
    return lines.length === 0 ? '' : `${title}\n${lines.join('\n')}\n`;
  });
  const all = groups.filter(Boolean).join('\n');
  return `mayday: search and rescue for coding agents\n\n${all}\nmayday COMMAND --help tells more about one command.\n`;
}

export function commandHelp(command: CommandSpec): string {
  const options = [...command.options, JSON_OPTION];
  const names = options.map(
    ({ name, type, value, short }) =>
      `${short === undefined ? '' : `-${short}, `}--${name}${type === 'string' ? ` ${value ?? 'TEXT'}` : ''}`,
  );
  const width = Math.max(...names.map(({ length }) => length)) + 2;
  const lines = options.map(({ help, multiple }, at) => {
    return `  ${(names[at] as string).padEnd(width)}${help}${multiple ? ' (repeatable)' : ''}`;
  });
  const { name, usage, summary, aliases } = command;
  return `mayday ${name} ${usage}\n\n  ${summary}${also(aliases)}\n\n${lines.join('\n')}\n`;
}

function also(aliases: readonly string[] = []): string {
  return aliases.length === 0 ? '' : ` (also: ${aliases.join(', ')})`;
}
