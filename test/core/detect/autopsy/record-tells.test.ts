/** What a record tells about a failure that repeats: the rule of the task, the last pass, the right that is missing, shared words. */
import { describe, expect, test } from 'vitest';
import { autopsy } from '../../../../src/core/detect/autopsy/autopsy.ts';
import { diagnose } from '../../../../src/core/diagnose/diagnose.ts';
import { call, edit, failedCall, type Part, transcript } from '../transcript-builder.ts';

const times = (count: number, part: (index: number) => readonly Part[]): readonly Part[] =>
  Array.from({ length: count }, (_, index) => part(index)).flat();
const change = (index: number, path = 'src/mill.ts') => edit(path, `n = ${index}`, `n = ${index + 1}`);
const read = (path: string, text: string): Part => ({
  call: JSON.stringify({ file_path: path }),
  tool: 'Read',
  result: text,
});

function told(parts: readonly Part[], task = 'Let the mill grind again.') {
  const found = autopsy('x', transcript([{ say: task, role: 'person' }, ...parts]), diagnose);
  return { cause: found.rootCause ?? '', next: found.next.startHere ?? '', found };
}

describe('what the task forbids', () => {
  const red = failedCall('npm run verify', '✖ the recorded form differs from this one: grind');
  const runs = times(6, (n) => [change(n, 'api/form.d.ts'), red]);
  test('is the cause where the edits change just that', () => {
    const { cause, next } = told(runs, 'Add a sieve. Do not change api/form.d.ts, it is frozen.');
    expect(cause).toContain('the task says "Do not change api/form.d.ts, it is frozen."');
    expect(next).toContain('git checkout -- api/form.d.ts');
  });
  test('is not the cause where the task names the file as the one to change, or the edits are elsewhere', () => {
    expect(told(runs, 'Change api/form.d.ts so that it has a sieve.').cause).not.toContain('the task says');
    const others = times(6, (n) => [change(n), red]);
    expect(told(others, 'Do not change api/form.d.ts.').cause).not.toContain('the task says');
  });
});

describe('a check that passed before', () => {
  const green = call('stone test', '14 tests, 0 failures\nok');
  const red = failedCall(
    'stone test',
    '1) the sieve turns\n   expected: 1\n        got: nil\n14 tests, 1 failure',
  );
  const update = call('stone update', 'Installing axle 3.0.9 (was 2.2.8)\nDone');
  const runs = times(6, (n) => [change(n), red]);
  test('was broken by what came in between, not where the edits are', () => {
    const { cause, next } = told([green, update, red, ...runs]);
    expect(cause).toContain('passed in call 1 and fails since call 3');
    expect(cause).toContain('`stone update` (call 2): Installing axle 3.0.9 (was 2.2.8)');
    expect(next).toContain('Take back the edits of src/mill.ts');
  });
  test('tells nothing where only the same file was edited in between', () => {
    expect(told([green, change(20), red, ...runs]).cause).not.toContain('passed in call');
  });
});

describe('a right that the account lacks', () => {
  const red = failedCall('stone publish', 'error: role miller is not authorized to write the granary ledger');
  const runs = times(6, (n) => [change(n), red]);
  test('is for a person to give, and the record shows what is known of it', () => {
    const { cause, next, found } = told([call('stone grants', 'granary ledger: baker=rw miller=r'), ...runs]);
    expect(cause).toContain(
      'The account of this run may lack that right; the edits of src/mill.ts did not give it',
    );
    expect(cause).toContain('`granary ledger: baker=rw miller=r`');
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

test('the record shows what a message is about by words that both have in other forms', () => {
  const red = failedCall(
    'stone serve',
    'the mill answers: Request field x-grain is not allowed by Access-Control-Allow-Headers\nstone: stopped because of that',
  );
  const { cause } = told([
    read(
      'server/gate.js',
      "     1→const gate = open();\n     2→  allowedHeaders: ['Flour'],\n     3→gate.close();",
    ),
    ...times(6, (n) => [change(n), red]),
  ]);
  expect(cause).toContain("server/gate.js, line 2: `allowedHeaders: ['Flour'],`");
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
