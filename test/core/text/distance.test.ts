import { expect, it } from 'vitest';
import { nearestNames } from '../../../src/core/text/distance.ts';

it('a mistyped name finds the nearest first, and nothing that is another word', () => {
  expect(nearestNames('lair', ['good', 'liar', 'laird', 'asker'])).toEqual(['laird', 'liar']);
  expect(nearestNames('x', ['y', 'good'])).toEqual([]);
  expect(nearestNames('nobody', ['good', 'asks'])).toEqual([]);
});
