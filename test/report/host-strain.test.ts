/** A machine with more work than cores says what follows from it. */
import { expect, it } from 'vitest';
import { strainOf } from '../../src/report/host-json.ts';

it('is told with what follows and what helps, and only above what the cores can do', () => {
  expect(strainOf(2, 2)).toBeNull();
  expect(strainOf(7.7, 2)).toMatch(/take longer.*still takes runs.*--concurrency/);
});
