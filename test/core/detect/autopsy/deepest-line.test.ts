/** What the form of a failure tells, in any language: the innermost cause, a right that is refused, which file is meant. */
import { describe, expect, test } from 'vitest';
import { autopsy } from '../../../../src/core/detect/autopsy/autopsy.ts';
import { deepestLine } from '../../../../src/core/detect/deepest-line.ts';
import { diagnose } from '../../../../src/core/diagnose/diagnose.ts';
import { call, edit, failedCall, type Part, transcript } from '../transcript-builder.ts';

/** Six edits of a file, each with the same red check after it. */
function told(red: Part, before: readonly Part[] = [], path = 'src/mill.ts') {
  const runs = Array.from({ length: 6 }, (_, n) => [edit(path, `n = ${n}`, `n = ${n + 1}`), red]).flat();
  const parts = [{ say: 'Let the mill grind.', role: 'person' } as const, ...before, red, ...runs];
  const found = autopsy('x', transcript(parts), diagnose);
  return { cause: found.rootCause ?? '', next: found.next.startHere ?? '' };
}

describe('the deepest line of a failure', () => {
  test.each([
    [
      'Failed\nCaused by: a.B: outer\n\tat a.C\nCaused by: c.D: FATAL: no grain "rye"\n\tat e.F\nDone',
      'c.D: FATAL: no grain "rye"',
    ],
    [
      'Error: no start\n\nCaused by:\n    0: no mill\n    1: open /etc/mill: denied',
      'open /etc/mill: denied',
    ],
    ["X : outer\n---- A.BException : in\n-------- A.CException : No 'Stone'", "A.CException : No 'Stone'"],
    // One that names nothing tells less than the line around it.
    ['TypeError: no URL in undefined/rye\nCaused by: TypeError: Invalid URL', 'Failed'],
    // Another failure has a chain of its own.
    ['Caused by: a.B: no "rye"\nERROR second test\nCaused by: a.B: no "oats"', 'a.B: no "rye"'],
  ])('%j', (output, line) => expect(deepestLine('Failed', output)).toBe(line));
  test('of the bare name of a test is what is said of it', () => {
    const output = 'FAIL test/a.ts > grinds\n  AssertionError: expected 3 to be 4';
    expect(deepestLine('FAIL test/a.ts > grinds', output)).toBe(
      'FAIL test/a.ts > grinds: AssertionError: expected 3 to be 4',
    );
    expect(deepestLine('Error: no "rye"', output)).toBe('Error: no "rye"');
  });
});

describe('a right that is refused', () => {
  const red = failedCall('stone publish', 'HTTP 403: Resource not accessible by integration');
  test('is given by a person', () => {
    expect(told(red).next).toContain('were refused alike. A person grants the right');
  });
});

describe('an absolute name of a file', () => {
  const red = failedCall(
    'stone play',
    'task path: /etc/stone/roles/mill/tasks.yml:1\nfatal: FAILED! no such grain',
  );
  test('in a folder of the machine is another file than a relative one', () => {
    expect(told(red, [], 'roles/mill/tasks.yml').cause).toContain(
      'what the output names is /etc/stone/roles/mill/tasks.yml',
    );
  });
  test('is the same file behind marks of a bundler', () => {
    const bundled = failedCall(
      'stone play',
      'at run (webpack:///./roles/mill.ts:1)\nfatal: FAILED! no such grain',
    );
    expect(told(bundled, [], '/w/roles/mill.ts').cause).not.toContain('may be what runs');
  });
  test('is the same file where a call works in that folder', () => {
    const there = call('ls /etc/stone/roles', 'mill');
    expect(told(red, [there], 'roles/mill/tasks.yml').cause).not.toContain('what the output names is');
  });
});

test('a line that a later edit ends with is not stale', () => {
  const line = (n: number) =>
    n === 0 ? 'grain = store["rye"].first' : `n = ${n}; grain = store["rye"].first`;
  const red = (n: number) =>
    failedCall(
      'stone run',
      `Traceback (most recent call last):\n  File "/w/mill.py", line 2, in run\n    ${line(n)}\nKeyError: 'rye'`,
    );
  const runs = Array.from({ length: 6 }, (_, n) => [
    edit('/w/mill.py', line(n), line(n + 1)),
    red(n + 1),
  ]).flat();
  const found = autopsy('x', transcript([red(0), ...runs]), diagnose);
  expect(found.rootCause).not.toContain('what runs is not what was edited');
});
