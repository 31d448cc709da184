import { expect, test } from 'vitest';
import { hashLooseOpening } from '../../../src/core/detect/text-hash.ts';

test('two long results that differ only in their summary at the end are two results', () => {
  const log = 'ok  a test of the reader passes as before\n'.repeat(400);
  const passed = hashLooseOpening(`${log}all is well`);
  const failed = hashLooseOpening(`${log}the reader is broken`);
  expect(passed.whole).not.toBe(failed.whole);
  expect(passed.opening).toBe(failed.opening);
  expect(hashLooseOpening(`${log}all is well`)).toEqual(passed);
});
