/** A result that stays bad is seen behind pipes and other commands; where nothing proves why, the story says so and tells what was left alone. */
import { describe, expect, test } from 'vitest';
import { type Call, madeRun, times } from './made-run.ts';

const edit = (n: number, path = 'src/mill.py'): Call => [
  'Edit',
  JSON.stringify({ file_path: path, old_string: `n = ${n}`, new_string: `n = ${n + 1}` }),
  `The file ${path} has been updated.`,
];
const bash = (command: string, output: string): Call => ['Bash', JSON.stringify({ command }), output];
const plain = bash('./grind.sh', 'grinding rye\nsacks: 1 of 5\n1 check failed');
const hidden = (n: number) =>
  bash(`git commit -qm 'try ${n}' && ./grind.sh | head -2`, 'grinding rye\nsacks: 1 of 5');
const good = bash('./grind.sh', 'grinding rye\nsacks: 5 of 5');

describe('a bad result that comes after each edit', () => {
  const run = [good, edit(1), plain, ...times(8, (n) => [edit(n + 2), hidden(n)])];
  test('is where the run is stuck, though a pipe and another command hide it', () => {
    const { found, since } = madeRun([...run, plain]);
    expect(found.state).toBe('stuck');
    expect(since).toBe(4);
  });
  test('is not, where the same program has another result in the end', () => {
    expect(madeRun([...run, edit(20), good, ['agent', 'Done.']]).found.state).toBe('finished');
  });
  test('is told without a cause where nothing proves one, with what came before it', () => {
    const { cause, next } = madeRun([...run, plain]);
    expect(cause).toContain('Why is not proven');
    expect(cause).toContain(
      'it was good in call 1 and is bad since call 3; in between src/mill.py (`n = 2`) was edited',
    );
    expect(next).toContain('src/mill.py (`n = 2`)');
  });
});

describe('what the record shows and no call followed up', () => {
  const red = (output: string) => times(7, (n) => [edit(n), bash('stone test', output)]);
  test('is the command that the output names', () => {
    const { cause, next } = madeRun([
      bash('stone list', 'mill'),
      ...red('error: the plan is frozen. To change it add one: stone plan NAME=what'),
    ]);
    expect(cause).toContain('no call ran `stone plan`');
    expect(next).toContain('Do what the output says: `stone plan NAME=what`');
  });
  test('is what only the first failure says', () => {
    const first = bash(
      'stone test',
      'FAIL sieve\nstone.BadNumber: NumberError: no number: "5,5"\nstone.Broken: Error: no sieve',
    );
    const { cause } = madeRun([edit(50), first, ...red('FAIL sieve\nstone.Broken: Error: no sieve')]);
    expect(cause).toContain(
      'only the first failing output (call 2) says `stone.BadNumber: NumberError: no number: "5,5"`',
    );
  });
  test('is a file that was named and never opened', () => {
    const { next } = madeRun([
      [
        'Read',
        '{"file_path":"README.md"}',
        '# Mill\nThe mill turns by itself, see docs/mill-turns.md for that.',
      ],
      ...red('AssertionError: expected 1 to equal 2'),
    ]);
    expect(next).toContain('Read docs/mill-turns.md, which call 1 named and no call opened');
  });
  test('is a program that says after an edit that there is nothing to do', () => {
    const { cause } = madeRun([
      edit(60, 'src/mill.h'),
      bash('stone make', "stone: Nothing to be done for 'all'."),
      ...red('AssertionError: expected 1 to equal 2'),
    ]);
    expect(cause).toContain(
      "right after the edit of src/mill.h, `stone make` (call 2) said `stone: Nothing to be done for 'all'.`",
    );
  });
});
