import { expect, it } from 'vitest';
import { minutes } from '../../../src/core/text/minutes.ts';

it.each([
  [900, '1 s'],
  [90_000, '90 s'],
  [120_000, '2 min'],
  [119 * 60_000, '119 min'],
  [2.9 * 3_600_000, '2 h'],
  [50 * 3_600_000, '2 days'],
])('%d ms are %s', (ms, words) => {
  expect(minutes(ms)).toBe(words);
});
