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
      '`./grind.sh` did not fail in call 1; in between that and call 3, src/mill.py (`n = 2`) was edited',
    );
    expect(next).toContain('src/mill.py (`n = 2`)');
  });
});
