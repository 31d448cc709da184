/** A change after which what fails does not get less is told to be taken in small steps from the last good state. */
import { expect, test } from 'vitest';
import { type Call, madeRun } from './made-run.ts';

const edit = (n: number): Call => [
  'Edit',
  JSON.stringify({
    file_path: `lib/${n % 2 === 0 ? 'reef' : 'shoal'}.rb`,
    old_string: `at ${n}`,
    new_string: `at ${n + 1}`,
  }),
  'The file has been updated.',
];
const good: Call = ['Bash', 'rake test', '12 runs, 30 assertions, 0 failures, 0 errors'];
const bad = (n: number, failed: number): Call => [
  'Bash',
  'rake test',
  `Exit code 1\nNoMethodError: undefined method depth${n % 3} for nil\n12 runs, 30 assertions, ${failed} failures, 0 errors`,
];
const run = (counts: readonly number[]) =>
  madeRun([
    ['Bash', 'cat lib/reef.rb', 'class Reef; end'],
    good,
    ...counts.flatMap((failed, n) => [edit(n), bad(n, failed)]),
  ]);

test('counts that go up and down are told with the last good call', () => {
  const { cause, next } = run([6, 5, 7, 6, 8, 7, 9, 7]);
  expect(cause).toContain(
    'passed in call 2; in the 8 runs since, with changes in between, 6, 5, 7, 6, 8, 7, 9, 7 failed',
  );
  expect(cause).toContain('break as much as they mend');
  expect(next).toContain('go back to the state of call 2');
});

test('counts that get less, or stay the same, are another story', () => {
  expect(run([9, 10, 8, 9, 6, 4, 3, 2]).cause).not.toContain('break as much');
  expect(run([4, 4, 4, 4, 4, 4, 4, 4]).cause).not.toContain('break as much');
});
