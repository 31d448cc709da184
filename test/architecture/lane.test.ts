/** `npm test` leaves out no test that is about a change. */
import { expect, it } from 'vitest';
import { concerns } from '../lane.ts';

it('a test file is about itself and about the folder of the source that it stands for', () => {
  const about = (...changed: string[]) => concerns('test/act/deliver/sinks.test.ts', changed);
  expect(about('src/act/deliver/deliver-branch.ts')).toBe(true);
  expect(about('test/act/deliver/sinks.test.ts')).toBe(true);
  expect(
    about('src/act/deliver.ts', 'src/act/deliver/forge/forge.ts', 'test/act/deliver/other.test.ts'),
  ).toBe(false);
});
