/** That edits made no difference is told only where no run of the check in between ended in another way. */
import { expect, test } from 'vitest';
import { autopsy } from '../../../../src/core/detect/autopsy/autopsy.ts';
import { otherResults, timesInAll } from '../../../../src/core/detect/autopsy/other-results.ts';
import { diagnose } from '../../../../src/core/diagnose/diagnose.ts';
import { call, edit, failedCall, type Part, transcript } from '../transcript-builder.ts';

const task: Part = { say: 'The sum of the eggs is wrong.', role: 'person' };
const told = (parts: readonly Part[]) => autopsy('x', transcript([task, ...parts]), diagnose);
const begin: readonly Part[] = [call('ls', 'nest lib'), call('cat nest/eggs.py', 'def eggs(): return 0')];
const change = (index: number) => edit('nest/eggs.py', `return ${index}`, `return ${index + 1}`);
const sums = (got: string) =>
  failedCall('pytest -q', `E   AssertionError: assert ${got} == 41.19\n1 failed, 3 passed in ${got}s`);
const run = (ends: readonly Part[]) => told([...begin, ...ends.flatMap((end, n) => [change(n), end])]);

test('edits after which the same value came each time made no difference', () => {
  const found = run(Array.from({ length: 7 }, () => sums('41.17')));
  expect(found.rootCause).toMatch(/the same after \d edits|made no difference/);
});

test('another value in between is told, and not that the edits made no difference', () => {
  const found = run(['41.17', '41.17', '41.16', '41.17', '41.20', '41.17', '41.17'].map(sums));
  expect(found.rootCause).not.toMatch(/the same after|made no difference|did not change that/);
  expect(found.rootCause).toContain('call 8: AssertionError: assert 41.16 == 41.19');
  const { repeats, turns } = found;
  expect(repeats === null ? 0 : timesInAll(turns, repeats)).toBe(5);
});

test('a check that passed in between is told as that', () => {
  const green = call('pytest -q', '4 passed in 0.02s');
  const found = run(['41.17', '41.17', '41.17', '41.17', '41.17', '41.17'].map(sums).toSpliced(3, 0, green));
  expect(found.rootCause).not.toMatch(/the same after|made no difference|did not change that/);
  expect(found.rootCause).toMatch(/other results .*call 10: passed/);
});

test('times, addresses and the numbers of lines are no other result', () => {
  const found = run(
    Array.from({ length: 7 }, (_, n) =>
      failedCall(
        'pytest -q',
        `nest/eggs.py:${n + 4}: assert <Egg at 0x7f28${n}a5a29> == 3 (${n}.2 ms)\n1 failed`,
      ),
    ),
  );
  const { repeats, turns } = found;
  expect(repeats).not.toBeNull();
  expect(repeats === null ? [] : otherResults(turns, repeats)).toEqual([]);
});
