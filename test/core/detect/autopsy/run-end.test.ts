import { expect, it } from 'vitest';
import { endOf } from '../../../../src/core/detect/autopsy/run-end.ts';
import { madeRun } from './made-run.ts';

function endedAs(subtype: string) {
  return endOf([{ type: 'result', subtype, isError: false, text: 'sent', deniedTools: [], at: 1 }], []);
}

it.each(['exit_cost', 'exit_context', 'error_max_turns'])('a result named %s ended by a limit', (subtype) => {
  expect(endedAs(subtype)).toBe('limit');
});

it('a result named success is a result', () => {
  expect(endedAs('success')).toBe('result');
});

function endedWith(input: string, output: string) {
  return endOf(
    [
      { type: 'tool_call', id: '1', tool: 'bash', input, at: 1 },
      { type: 'tool_result', id: '1', output, isError: false, at: 2 },
    ],
    [],
  );
}

it('a limit of a service in the last output is not the limit of the run; the word of the harness is', () => {
  expect(endedWith('./pull.sh', 'HTTP 429: rate limit exceeded')).toBe('cut off');
  expect(endedWith('exit_cost', 'Exited (autosubmitted)')).toBe('limit');
});

it('an answer at the end of the last output, or after a trace, is an answer', () => {
  expect(endedWith('look', 'a page\nFINAL ANSWER: 42\n')).toBe('result');
  const text = 'Traceback (most recent call last):\n  boom\nFINAL ANSWER: 42';
  expect(endOf([{ type: 'message', role: 'agent', text, at: 1 }], [])).toBe('result');
});

function saidLast(text: string) {
  const write = '{"file_path":"pond.c","old_string":"int a","new_string":"int b"}';
  return madeRun([
    ['Edit', write, 'updated'],
    ['bash', 'git checkout pond.c && git status --short', ''],
    ['agent', text],
  ]).found.endedBy;
}

it.each([
  'I could not find a rate that gives the figure. I recommend a tolerance instead. The code is unchanged.',
  'The sources do not compile with this image. I tried three standards, without success. I suggest the old one.',
  'I was unable to make the two agree; the remaining difference is of the other system.',
])('last words that tell of no success are giving up: %s', (text) => {
  expect(saidLast(text)).toBe('gave up');
});

it.each([
  'The rule is now implemented. I could not run the slow suite here.',
  'All five tests pass. The runner itself still fails to return in this sandbox.',
  'A negative count cannot reach the pond any more: the reader refuses it.',
  'Done: the parser keeps the comment.',
])('last words that tell of work with a rest are not: %s', (text) => {
  expect(saidLast(text)).toBe('result');
});
