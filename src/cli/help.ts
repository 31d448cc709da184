/** `overviewHelp`, `fullHelp`, `commandHelp`: help texts, made from the command table. */
import type { CommandSpec, OptionSpec } from './command.ts';
import { EXAMPLES } from './examples.ts';
import { wrapToWidth } from '../core/text/width.ts';

export const VERSION = '0.1.0';

const GROUPS: Readonly<Record<CommandSpec['group'], string>> = {
  run: 'Run',
  look: 'Look',
  decide: 'Decide',
  learn: 'Learn',
  machine: 'Machine',
};
const JSON_OPTION: OptionSpec = { name: 'json', type: 'boolean', help: 'print exactly one JSON document' };

/** A help text is read at a terminal: 80 columns, or as many as there are up to what the eye follows. */
const MAX_COLUMNS = 120;

/** What most people type on most days, in the order of a day. */
const EVERYDAY = ['run', 'ps', 'watch', 'show', 'logs', 'inbox', 'answer', 'stop', 'resume', 'diff'];

export function overviewHelp(commands: readonly CommandSpec[], columns = 80): string {
  const everyday = EVERYDAY.flatMap((name) => commands.find((command) => command.name === name) ?? []);
  const others = Object.entries(GROUPS).map(([group, title]) => {
    const rest = commands.filter((command) => command.group === group && !everyday.includes(command));
    return [title.toLowerCase(), rest.map(({ name }) => name).join(', ')] as const;
  });
  return [
    'mayday: search and rescue for coding agents',
    '',
    'Every day',
    table(everyday.map(summaryRow), columns),
    '',
    'More',
    table(others, columns),
    '',
    'mayday help all       what each of them does',
    'mayday COMMAND --help more about one; new here? mayday doctor',
    '',
  ].join('\n');
}

export function fullHelp(commands: readonly CommandSpec[], columns = 80): string {
  return Object.entries(GROUPS)
    .map(([group, title]) => {
      const rows = commands.filter((command) => command.group === group).map(summaryRow);
      return `${title}\n${table(rows, columns)}\n`;
    })
    .join('\n');
}

function summaryRow({ name, summary, aliases }: CommandSpec): readonly [string, string] {
  return [name, `${summary}${also(aliases)}`];
}

export function commandHelp(command: CommandSpec, columns = 80): string {
  const general = command.hasNoDocument === true ? [] : [JSON_OPTION];
  const rows = [...command.options, ...general].map(({ name, type, value, short, help, multiple }) => {
    const letter = short === undefined ? '' : `-${short}, `;
    const option = `${letter}--${name}${type === 'string' ? ` ${value ?? 'TEXT'}` : ''}`;
    return [option, `${help}${multiple ? ' (repeatable)' : ''}`] as const;
  });
  const { name, takes, summary, aliases } = command;
  const examples = EXAMPLES[name] ?? [];
  return [
    ...wrapToWidth(`mayday ${name} ${takes.usage}`, Math.min(columns, MAX_COLUMNS), { hanging: 9 }),
    '',
    ...wrapToWidth(`  ${summary}${also(aliases)}`, Math.min(columns, MAX_COLUMNS)),
    '',
    ...(rows.length === 0 ? [] : [table(rows, columns), '']),
    // A command line is copied: it stays whole.
    ...examples.map((example) => `  $ ${example}`),
    '',
  ].join('\n');
}

/** Two columns; the second is broken at blanks and begins in a line of its own where the first is wide. */
function table(rows: readonly (readonly [string, string])[], columns: number): string {
  const width = Math.min(columns, MAX_COLUMNS);
  const first = Math.min(MAX_FIRST, Math.max(...rows.map(([name]) => name.length)) + 4);
  return rows
    .flatMap(([name, text]) => {
      const words = wrapToWidth(`${' '.repeat(first)}${text}`, width);
      if (name.length + 4 > first) return [`  ${name}`, ...words];
      return [`  ${name}`.padEnd(first) + (words[0] ?? '').slice(first), ...words.slice(1)];
    })
    .join('\n');
}

/** A longer name leaves no room for its words. */
const MAX_FIRST = 30;

function also(aliases: readonly string[] = []): string {
  return aliases.length === 0 ? '' : ` (also: ${aliases.join(', ')})`;
}
