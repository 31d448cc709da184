/** Where an autopsy says that a run got stuck, and what it takes for an end, a failure and a change. */
import { describe, expect, test } from 'vitest';
import { autopsy } from '../../../../src/core/detect/autopsy/autopsy.ts';
import { diagnose } from '../../../../src/core/diagnose/diagnose.ts';
import { call, edit, failedCall, type Part, transcript } from '../transcript-builder.ts';

const times = <T>(count: number, part: (index: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, index) => part(index));
const task: Part = { say: 'Mend the reader of the settings.', role: 'person' };
const told = (parts: readonly Part[]) => autopsy('x', transcript([task, ...parts]), diagnose);
const callAt = (index: number) => 1 + 2 * index;

describe('the place', () => {
  test('is where a call is made again, not where it was made first', () => {
    const found = told([
      call('ls', 'a b'),
      ...times(6, () => failedCall('./build', 'ld: cannot find -lfoo')),
    ]);
    expect(found.firstStuckStep).toBe(callAt(2));
    expect(found.repeats?.turns[0]?.callStep).toBe(callAt(1));
  });

  test('with edits in between, is the third failure: the second still tests the first edit', () => {
    const found = told([
      call('npm test', 'Tests  1 failed\nexpected 1 to be 2'),
      ...times(7, (index) => [
        edit('src/a.ts', `${'abcdefgh'[index]}`, `${'bcdefghi'[index]}`),
        call('npm test', 'Tests  1 failed\nexpected 1 to be 2'),
      ]).flat(),
    ]);
    expect(found.firstStuckStep).toBe(callAt(4));
  });

  test('does not reach back to a failure of the same check that was solved', () => {
    const found = told([
      failedCall('npm test', "Error: Cannot find module 'left-pad'"),
      call('npm install left-pad', 'added 1 package'),
      call('npm test', 'Tests  12 passed'),
      edit('src/a.ts', 'a', 'b'),
      ...times(6, () => failedCall('npm test', 'AssertionError: expected 1 to be 2')),
    ]);
    expect(found.firstStuckStep).toBe(callAt(5));
    expect(found.repeats?.turns[0]?.callStep).toBe(callAt(4));
  });
});

describe('the same command', () => {
  test('with a pause, a place, a time limit or a variable before it fails again', () => {
    const found = told(
      ['', 'sleep 30; ', 'cd app && ', 'timeout 60 ', 'CI=1 ', 'sleep 5 && '].map((before) =>
        failedCall(`${before}./apply`, 'Error acquiring the state lock'),
      ),
    );
    expect(found.repeats?.count).toBe(6);
    expect(found.rootCause).toContain('state lock');
  });

  test('that waits honestly and gets its answer is left alone', () => {
    const found = told([
      ...times(7, () => call('sleep 30; fly status', 'v3 pending')),
      call('sleep 30; fly status', 'v3 healthy'),
      { say: 'The release is healthy.' },
    ]);
    expect(found.state).toBe('finished');
  });
});

describe('a result without a mark of the format', () => {
  const fails = (input: string, output: string, tool = 'Bash') => told([call(input, output, tool)]).turns[0];

  test.each([
    [
      'str_replace_editor',
      '{"path":"a.c"}',
      'No replacement was performed, old_str `x` did not appear verbatim in a.c.',
    ],
    ['apply_patch', '*** Begin Patch', 'patch did not apply to src/a.ts'],
    ['Bash', './run', 'step 1\nstep 2\n[The command completed with exit code 1.]'],
    ['Bash', './run', `${'line\n'.repeat(200)}Exit Code: 2`],
    ['Bash', 'python a.py', `${'line\n'.repeat(200)}ValueError: bad month`],
    ['Bash', 'make', `${'cc -c a.c\n'.repeat(80)}make: *** [a.o] Error 1`],
    ['Bash', 'pnpm test', `${'ok\n'.repeat(200)} FAIL  a.test.ts > adds\nexpected 5 to be 6`],
  ])('%s: a failure is told by its first or last lines (%#)', (tool, input, output) => {
    expect(fails(input, output, tool)?.failed).toBe(true);
  });

  test.each([
    ['Bash', './run', 'errors were not found in 12 files\n[The command completed with exit code 0.]'],
    ['Bash', 'python a.py', 'read ValueError.md\ndone'],
    ['Edit', '{"file_path":"a.c"}', 'The file a.c has been updated. The old text was not kept.'],
    ['Bash', 'pnpm test', ' Tests  14 passed\nno failures'],
  ])('%s: a result that worked is left alone (%#)', (tool, input, output) => {
    expect(fails(input, output, tool)?.failed).toBe(false);
  });
});

describe('a last message', () => {
  const work = times(4, (index) => call(`cat part-${index}.ts`, `export const part = ${'abcd'[index]};`));

  test.each([
    'CI is still queued.',
    'I will rewrite the list and run the tests again.',
    'Let me write it another way.',
  ])('that goes on is no end: %s', (say) => {
    expect(told([...work, { say }]).endedBy).toBe('cut off');
  });

  test('after a check that failed does not make the work finished', () => {
    const red = call('npm test', 'Tests  1 failed');
    expect(told([...work, red, { say: 'The list is rewritten.' }]).state).toBe('failed');
    expect(
      told([...work, call('npm test', 'Tests  9 passed'), { say: 'The list is rewritten.' }]).state,
    ).toBe('finished');
  });

  test('that says what will be is an end', () => {
    expect(told([...work, { say: 'Done: the cache will be warm before the server listens.' }]).endedBy).toBe(
      'result',
    );
  });
});

test('a limit that ended the work is the cause, not the failure before it', () => {
  const found = told([
    ...times(5, (index) => call(`cat part-${index}.ts`, `export const part = ${'abcde'[index]};`)),
    failedCall('locate a', 'bash: locate: command not found'),
    { say: 'exit_cost: the maximum budget is used up' },
  ]);
  expect(found).toMatchObject({
    state: 'failed',
    class: 'budget_exhausted',
    endedBy: 'limit',
    diagnosis: null,
  });
  expect(found.rootCause).not.toContain('locate');
});

test('a program that prints nothing is no search', () => {
  const found = told([call('ls', 'a.py'), ...times(6, () => call('python a.py', ''))]);
  expect(found.rootCause).toContain('`python a.py` was made 6 times and answered nothing');
});

describe('without a stop', () => {
  test('a question that is asked again and again is the story, with the question', () => {
    const ask = (question: string) => call(JSON.stringify({ question }), '(no reply)', 'ask_user');
    const found = told([call('ls', 'a b'), ...['Drop it?', 'May I drop it?', 'Drop or keep it?'].map(ask)]);
    expect(found.class).toBe('waiting_for_input');
    expect(found.rootCause).toContain('Drop');
  });

  test('one warning that nothing resolved is told, and does not make the run stuck', () => {
    const found = told([
      ...times(4, (index) => call(`cat part-${index}.ts`, `export const part = ${'abcd'[index]};`)),
      ...times(3, () => call('git log -1', 'commit a1')),
    ]);
    expect(found.state).toBe('progressing');
    expect(found.warning?.reason).toContain('git log -1');
  });
});

describe('the last change', () => {
  test.each([
    [
      'an edit that was refused',
      call('{"path":"b.c","old_str":"x"}', 'No replacement was performed.', 'str_replace'),
    ],
    ['a log', call('npm run dev > /tmp/dev.log 2>&1 &', '[1] 4411')],
    [
      'a fix without a change',
      call("{'name': 'write_fix', 'changes_dicts': []}", 'Lines read:', 'write_fix'),
    ],
  ])('is not %s', (_, last) => {
    const found = told([edit('src/a.ts', 'a', 'b'), call('ls', 'a'), call('cat c', 'text of c'), last]);
    expect(found.lastChange?.edit?.path).toBe('src/a.ts');
  });

  test('names no word of a program as a file', () => {
    const found = told([
      call('edit 1:1\nlist.map(x -> names)\nend_of_edit', 'The text was changed.', 'edit'),
    ]);
    expect(found.lastChange?.kind).toBe('edit');
    expect(found.lastChange?.edit).toBeNull();
  });

  test('is not one that was made while it was stuck', () => {
    const found = told(
      times(9, (index) => [
        call('npm test', 'Tests  1 failed\nexpected 1 to be 2'),
        edit('src/a.ts', `${index}a`, `${index}b`),
      ]).flat(),
    );
    expect(found.lastChange?.step).toBeLessThan(found.firstStuckStep as number);
  });
});
