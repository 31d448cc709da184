/** What the form of a failure tells, in any language: its innermost cause. */
import { describe, expect, test } from 'vitest';
import { deepestLine } from '../../../../src/core/detect/deepest-line.ts';

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
