import { expect, it } from 'vitest';
import { minutes } from '../../../src/core/text/minutes.ts';

it.each([
  [900, '1 s'],
  [90_000, '90 s'],
  [120_000, '2 min'],
  [90 * 60_000, '90 min'],
])('%d ms are %s', (ms, words) => {
  expect(minutes(ms)).toBe(words);
});
