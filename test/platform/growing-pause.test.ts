import { beforeEach, expect, it, vi } from 'vitest';
import { GrowingPause } from '../../src/platform/growing-pause.ts';

const pauses = vi.hoisted((): number[] => []);
vi.mock('node:timers/promises', () => ({ setTimeout: async (ms: number) => void pauses.push(ms) }));

beforeEach(() => void (pauses.length = 0));

it('looks begin a millisecond apart, become fewer, and are never further apart than the longest pause', async () => {
  const pause = new GrowingPause(5);
  for (let look = 0; look < 6; look += 1) await pause.wait();
  expect(pauses[0]).toBe(1);
  expect(pauses).toEqual(pauses.toSorted((a, b) => a - b));
  expect(pauses.at(-1)).toBe(5);
});
