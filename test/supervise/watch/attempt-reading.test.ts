import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AttemptReading } from '../../../src/supervise/watch/attempt-reading.ts';
import type { WatchedAttempt } from '../../../src/supervise/watch/watched-attempt.ts';

beforeEach(() => vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => vi.useRealTimers());

/** How long one look reads output that never ends. */
async function readingMs(skippedBytes: number): Promise<number> {
  const piece = { entries: [], grew: true, partialAt: null, openText: null, atEnd: false, lastLine: '' };
  const read = async () => {
    vi.advanceTimersByTime(10);
    return { ...piece, skippedBytes };
  };
  const watched = { output: { read }, keep: async () => undefined, now: () => 0 };
  const begun = performance.now();
  await new AttemptReading(watched as unknown as WatchedAttempt, async () => undefined).read(false);
  return performance.now() - begun;
}

test('much output is read for a quarter of a second per look', async () => {
  expect(await readingMs(0)).toBe(260);
});

test('a flood of which most is skipped anyway takes a fifth of that: the agent needs the processor', async () => {
  expect(await readingMs(1)).toBe(60);
});
