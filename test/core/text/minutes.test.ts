import { expect, it } from 'vitest';
import { minutes } from '../../../src/core/text/minutes.ts';

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
