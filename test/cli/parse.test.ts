import { describe, expect, it } from 'vitest';
import { commandHelp } from '../../src/cli/help.ts';
import { COMMANDS } from '../../src/cli/commands.ts';
import { parseInvocation } from '../../src/cli/parse.ts';
import type { MaydayError } from '../../src/platform/mayday-error.ts';

const logs = COMMANDS.find(({ name }) => name === 'logs') ?? expect.unreachable('there is `mayday logs`');

function refused(...argv: string[]): readonly string[] {
  try {
    parseInvocation(logs, argv);
  } catch (error) {
    const { message, advice } = error as MaydayError;
    return [message, ...advice.map(([, text]) => text)];
  }
  return expect.unreachable('it was taken');
}

describe('the options of a command', () => {
  it('are known by their names and by one letter', () => {
    expect(parseInvocation(logs, ['abcd', '-f', '--tail', '3'])).toMatchObject({
      args: ['abcd'],
      options: { follow: true, tail: '3' },
    });
    expect(commandHelp(logs)).toContain('-f, --follow');
  });

  it('are refused in plain words, with what was probably meant', () => {
    expect(refused('abcd', '--folow')).toEqual([
      'logs has no option --folow',
      'did you mean --follow? All of them: mayday logs --help',
    ]);
    expect(refused('abcd', '-t')[1]).toBe('did you mean --tail? All of them: mayday logs --help');
    expect(refused('abcd', '--fol')[1]).toBe('did you mean --follow? All of them: mayday logs --help');
    expect(refused('abcd', '-z')[1]).toBe('mayday logs --help');
    expect(refused('abcd', '--zzzz')).toEqual(['logs has no option --zzzz', 'mayday logs --help']);
    expect(refused('abcd', '--tail')[0]).toBe('--tail takes a value: --tail N');
    expect(refused('abcd', '--follow=yes')[0]).toBe('--follow takes no value');
  });

  it('are followed by no command where none is run', () => {
    const diagnose = COMMANDS.find(({ name }) => name === 'diagnose') ?? expect.unreachable('it is there');
    const said = (() => {
      try {
        return parseInvocation(diagnose, ['--', 'sh', '-c', 'exit 3']);
      } catch (error) {
        const { code, message, advice } = error as MaydayError;
        return { code, message, advice };
      }
    })();
    expect(said).toEqual({
      code: 'WRONG_ARGUMENTS',
      message: 'diagnose runs no command: nothing may follow --',
      advice: [['do', 'npm test 2>&1 | mayday diagnose']],
    });
  });

  it('have no --json where standard output speaks a protocol', () => {
    const mcp = COMMANDS.find(({ name }) => name === 'mcp') ?? expect.unreachable('there is `mayday mcp`');
    expect(() => parseInvocation(mcp, ['--json'])).toThrow('mcp has no option --json');
    expect(commandHelp(mcp)).not.toContain('--json');
  });
});
