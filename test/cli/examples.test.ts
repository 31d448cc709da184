import { describe, expect, it } from 'vitest';
import type { CommandSpec } from '../../src/cli/command.ts';
import { COMMANDS } from '../../src/cli/commands.ts';
import { EXAMPLES } from '../../src/cli/examples.ts';
import { commandHelp, overviewHelp } from '../../src/cli/help.ts';
import { parseInvocation } from '../../src/cli/parse.ts';
import { textWidth } from '../../src/core/text/width.ts';

/** The words of a command line after `mayday NAME`; a pipe, a variable or `$(...)` before it is the shell's. */
function wordsAfter(example: string, { name }: CommandSpec): string[] {
  const own = example.slice(example.indexOf(`mayday ${name}`) + `mayday ${name}`.length).replace(/\)"$/, '');
  return (own.match(/"[^"]*"|[^\s"]+/g) ?? []).map((word) => word.replaceAll('"', ''));
}

describe('the help of a command', () => {
  it.each(COMMANDS.map((command) => [command.name, command] as const))(
    '%s has examples that it takes',
    (name, command) => {
      expect(EXAMPLES[name] ?? []).not.toEqual([]);
      for (const example of EXAMPLES[name] ?? []) {
        expect(example).toContain(`mayday ${name}`);
        expect(() => parseInvocation(command, wordsAfter(example, command)), example).not.toThrow();
      }
    },
  );

  it('has examples for no other name: these are the names that advice is known by', () => {
    expect(Object.keys(EXAMPLES).toSorted()).toEqual(COMMANDS.map(({ name }) => name).toSorted());
  });

  it('and the overview fit 80 columns; only a command line to copy may be longer', () => {
    const lines = [overviewHelp(COMMANDS), ...COMMANDS.map((command) => commandHelp(command))]
      .join('\n')
      .split('\n');
    expect(lines.filter((line) => textWidth(line) > 80 && !line.startsWith('  $ '))).toEqual([]);
  });
});
