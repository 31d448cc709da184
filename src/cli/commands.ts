/** Every command, in the order of `mayday --help`. A new command is one entry here and one file beside this one. */
import type { CommandSpec, OptionSpec } from './command.ts';

const text = (name: string, value: string, help: string): OptionSpec => ({
  name,
  type: 'string',
  value,
  help,
});
const flag = (name: string, help: string): OptionSpec => ({ name, type: 'boolean', help });

export const COMMANDS: readonly CommandSpec[] = [
  {
    name: 'diagnose',
    usage: '[FILE]',
    summary: 'say what failed in a captured output (FILE or standard input), why, and whose it is to fix',
    group: 'learn',
    positionals: [0, 1],
    options: [
      text('exit-code', 'N', 'exit code of the command that made the output'),
      text('signal', 'NAME', 'signal that ended it'),
      text('command', 'TEXT', 'the command itself'),
      text('retry-count', 'N', 'how often it was already tried'),
      flag('jsonl', 'one object per input line in, one result per line out'),
    ],
    load: () => import('./diagnose.ts'),
  },
  {
    name: 'autopsy',
    usage: '[PATH...]',
    summary: 'read agent sessions that Mayday did not supervise: where they got stuck, why, what to do next',
    group: 'learn',
    positionals: [0, 1000],
    options: [
      flag('jsonl', 'one run per input line in, one verdict per line out'),
      text('html', 'FILE', 'write the story as a page'),
      flag('import', 'bring the sessions into the metrics'),
    ],
    load: () => import('./autopsy.ts'),
  },
];
