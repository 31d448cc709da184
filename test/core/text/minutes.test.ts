import { expect, it } from 'vitest';
import { minutes } from '../../../src/core/text/minutes.ts';

it.each([
  [400, '0 s'],
  [59_400, '59 s'],
  [60_000, '1 min'],
  [112_000, '1 min 52 s'],
  [599_000, '9 min 59 s'],
  [601_000, '10 min'],
  [3_599_000, '59 min'],
  [3_600_000, '1 h'],
  [7_860_000, '2 h 11 min'],
  [48 * 3_600_000, '2 d'],
  [-5, '0 s'],
])('%i ms are told as %s', (ms, words) => {
  expect(minutes(ms)).toBe(words);
});

it('a duration that grows never reads smaller than before', () => {
  const size = (words: string) =>
    [...words.matchAll(/(\d+) (\w+)/g)].reduce(
      (all, [, amount, unit]) =>
        all + Number(amount) * ({ s: 1, min: 60, h: 3_600, d: 86_400 }[unit ?? ''] ?? 0),
      0,
    );
  let last = 0;
  for (let at = 0; at < 60 * 3_600_000; at += 7_777) {
    expect(size(minutes(at))).toBeGreaterThanOrEqual(last);
    last = size(minutes(at));
  }
});
