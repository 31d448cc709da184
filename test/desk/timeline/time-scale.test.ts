import { describe, expect, test } from 'vitest';
import { axisTicks, timeScale } from '../../../desk/timeline/time-scale.ts';

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

  test('nothing jumps while a run goes on: a stretch that grows is folded where it is as wide as a fold', () => {
    const work = { ...LINE, to: 10 * MINUTE, waits: [] };
    let before = timeScale(work).x(9 * MINUTE);
    for (let waited = 500; waited < 20 * MINUTE; waited += 500) {
      const scale = timeScale({
        ...work,
        to: work.to + waited,
        prepared: { from: 0, to: 20_000 },
        waits: [{ from: work.to, to: work.to + waited }],
      });
      expect(Math.abs(scale.x(9 * MINUTE) - before), `after ${waited} ms`).toBeLessThan(2);
      before = scale.x(9 * MINUTE);
    }
  });

  test('two seconds of work between two waits do not take the whole line', () => {
    const waits = [{ from: 23_000, to: 120_000 }];
    const scale = timeScale({ ...LINE, to: 120_000, prepared: { from: 0, to: 21_000 }, waits });
    expect(scale.x(23_000) - scale.x(21_000)).toBeCloseTo(200);
    expect(scale.folds.map(({ left, right }) => Math.round(right - left))).toEqual([400, 400]);
    expect(scale.x(120_000)).toBeCloseTo(1_100);
  });

  test('waits that follow one another are one fold', () => {
    const waits = [
      { from: 30 * MINUTE, to: 31 * MINUTE },
      { from: 31 * MINUTE, to: 100 * MINUTE },
    ];
    expect(timeScale({ ...LINE, waits }).folds).toMatchObject([{ from: 30 * MINUTE, to: 100 * MINUTE }]);
  });

  test('more waits than there is room for folds still end where the line ends', () => {
    const waits = Array.from({ length: 40 }, (_, at) => ({ from: at * HOUR + MINUTE, to: (at + 1) * HOUR }));
    const scale = timeScale({ ...LINE, to: 40 * HOUR, waits });
    expect(scale.x(40 * HOUR)).toBeCloseTo(1_100);
    expect(scale.x(20 * HOUR)).toBeCloseTo(600, -1);
  });

  test('a short wait is left as it is', () => {
    expect(timeScale({ ...LINE, waits: [{ from: HOUR, to: HOUR + 5 * MINUTE }] }).folds).toEqual([]);
  });

  test('a place read back is the moment that was drawn there, also inside a fold', () => {
    const scale = timeScale({ ...LINE, waits: [{ from: 30 * MINUTE, to: 100 * MINUTE }] });
    for (const at of [0, 10 * MINUTE, 30 * MINUTE, 65 * MINUTE, 100 * MINUTE, 119 * MINUTE])
      expect(scale.at(scale.x(at))).toBeCloseTo(at, 0);
    expect(scale.x(-HOUR)).toBe(100);
    expect(scale.x(9 * HOUR)).toBeCloseTo(1_100);
  });

  test('the axis has a bounded number of ticks, none in a fold, also for a wait of months', () => {
    const to = 90 * 24 * HOUR;
    const scale = timeScale({ ...LINE, to, waits: [{ from: HOUR, to: to - HOUR }] });
    const ticks = axisTicks(scale, 76);
    expect(ticks.length).toBeGreaterThan(2);
    expect(ticks.length).toBeLessThan(15);
    expect(ticks.filter(({ at }) => at > HOUR && at < to - HOUR)).toEqual([]);
  });
});
