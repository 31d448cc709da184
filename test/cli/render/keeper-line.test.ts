import { afterEach, expect, it } from 'vitest';
import { keeperLineText } from '../../../src/cli/render/keeper-line.ts';

const zone = process.env['TZ'];
afterEach(() => {
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
});

it('the log of a keeper has the times of this machine', () => {
  process.env['TZ'] = 'Asia/Tokyo';
  const at = Date.UTC(2026, 0, 2, 20, 0, 5);
  const line = { type: 'waits', at, pid: 1, for: 'time', what: 'retry', until: at + 60_000 } as const;
  expect(keeperLineText(line)).toBe(
    '2026-01-03 05:00:05  waits      for time: retry; until 2026-01-03 05:01:05',
  );
});
