import { describe, expect, test } from 'vitest';
import { timeScale } from '../../../desk/timeline/time-scale.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const LINE = { from: 0, to: 2 * HOUR, left: 100, right: 1_100, unfolded: false };

describe('the time of a run on a line of pixels', () => {
  test('a long wait is folded to a strip, and the work before and after it keeps its room', () => {
    const waits = [{ from: 30 * MINUTE, to: 100 * MINUTE }];
    const scale = timeScale({ ...LINE, waits });
    const [fold] = scale.folds;
    expect(fold && fold.right - fold.left).toBeCloseTo(88);
    expect(scale.x(30 * MINUTE) - scale.x(0)).toBeGreaterThan(500);
    const open = timeScale({ ...LINE, waits, unfolded: true });
    expect(open.folds).toEqual([]);
    expect(open.x(HOUR)).toBeCloseTo(600);
  });

  test('a long preparation is folded too, long before a wait would be', () => {
    const run = { ...LINE, to: MINUTE, waits: [] };
    const [fold] = timeScale({ ...run, prepared: { from: 0, to: 35_000 } }).folds;
    expect(fold).toMatchObject({ from: 0, to: 35_000, left: 100, right: 188 });
    expect(timeScale({ ...run, prepared: { from: 0, to: 5_000 } }).folds).toEqual([]);
    expect(timeScale({ ...LINE, waits: [], prepared: { from: 0, to: 35_000 } }).folds).toEqual([]);
  });

  test('more waits than there is room for folds still end where the line ends', () => {
    const waits = Array.from({ length: 40 }, (_, at) => ({ from: at * HOUR + MINUTE, to: (at + 1) * HOUR }));
    const scale = timeScale({ ...LINE, to: 40 * HOUR, waits });
    expect(scale.x(40 * HOUR)).toBeCloseTo(1_100);
    expect(scale.x(20 * HOUR)).toBeCloseTo(600, -1);
  });

  test('a place read back is the moment that was drawn there, also inside a fold', () => {
    const scale = timeScale({ ...LINE, waits: [{ from: 30 * MINUTE, to: 100 * MINUTE }] });
    for (const at of [0, 10 * MINUTE, 30 * MINUTE, 65 * MINUTE, 100 * MINUTE, 119 * MINUTE])
      expect(scale.at(scale.x(at))).toBeCloseTo(at, 0);
    expect(scale.x(-HOUR)).toBe(100);
    expect(scale.x(9 * HOUR)).toBeCloseTo(1_100);
  });
});
