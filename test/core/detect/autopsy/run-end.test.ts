import { expect, it } from 'vitest';
import { endOf } from '../../../../src/core/detect/autopsy/run-end.ts';

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
