/** What a record tells about a failure that repeats: the right that is missing, the line that names it. */
import { describe, expect, test } from 'vitest';
import { autopsy } from '../../../../src/core/detect/autopsy/autopsy.ts';
import { diagnose } from '../../../../src/core/diagnose/diagnose.ts';
import { edit, failedCall, type Part, transcript } from '../transcript-builder.ts';

const times = (count: number, part: (index: number) => readonly Part[]): readonly Part[] =>
  Array.from({ length: count }, (_, index) => part(index)).flat();
const change = (index: number, path = 'src/mill.ts') => edit(path, `n = ${index}`, `n = ${index + 1}`);

function told(parts: readonly Part[], task = 'Let the mill grind again.') {
  const found = autopsy('x', transcript([{ say: task, role: 'person' }, ...parts]), diagnose);
  return { cause: found.rootCause ?? '', next: found.next.startHere ?? '', found };
}

describe('a right that the account lacks', () => {
  const red = failedCall('stone publish', 'error: role miller is not authorized to write the granary ledger');
  const runs = times(6, (n) => [change(n), red]);
  test('is for a person to give', () => {
    const { cause, next, found } = told(runs);
    expect(cause).toContain(
      'The account of this run may lack that right; the edits of src/mill.ts did not give it',
    );
    expect(next).toContain('A person grants the right');
    expect(found.class).toBe('auth_failure');
  });
  test('is not what a refused edit lacks', () => {
    const tests = failedCall('stone test', "AssertionError: expected 'ok' to equal 'denied'\n1 failed");
    expect(told(times(6, (n) => [change(n), tests])).cause).not.toContain('lack that right');
  });
});

describe('the line that is told', () => {
  test('is what a count announces, not the count', () => {
    const red = failedCall(
      'stone check',
      'ValidationError: 1 validation error for Mill\nwheel_size\n  Field required',
    );
    const { found } = told(times(6, (n) => [change(n), red]));
    expect(found.repeats?.turn.errorLine).toContain('wheel_size · Field required');
  });
  test('of a runner that came to its end is no time-out of the run', () => {
    const red = failedCall(
      'stone e2e mill.spec.ts',
      'Error: Timed out 5000ms waiting for the flour\n  1 failed',
    );
    expect(told(times(6, (n) => [change(n), red])).cause).not.toContain('never ends');
  });
});

test('a line that another file has, too, does not show that the old code runs', () => {
  const red = failedCall(
    'stone test',
    [
      'tests/wheel.py:1: in <module>',
      '    from mill.wheel import Wheel',
      'mill/sieve.py:1: in <module>',
      '    from .wheel import Wheel',
      "E   ImportError: cannot import name 'Wheel'",
    ].join('\n'),
  );
  const first = edit('mill/sieve.py', 'from mill.wheel import Wheel', 'from .wheel import Wheel');
  const { cause } = told([red, first, red, ...times(6, (n) => [change(n, 'mill/sieve.py'), red])]);
  expect(cause).not.toContain('what runs is not what was edited');
});
