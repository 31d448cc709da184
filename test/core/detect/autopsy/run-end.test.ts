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
