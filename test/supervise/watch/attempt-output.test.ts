import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AttemptOutput } from '../../../src/supervise/watch/attempt-output.ts';
import { temporaryDirectory } from '../../temporary-directory.ts';

beforeEach(() => vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => vi.useRealTimers());

/** How long one look reads this much output, if each piece of it takes 10 ms. */
async function readingMs(bytes: number): Promise<number> {
  const directory = temporaryDirectory();
  writeFileSync(join(directory, 'stdout'), '');
  truncateSync(join(directory, 'stdout'), bytes);
  const reader = { push: () => [], end: () => [] };
  const output = new AttemptOutput({ directory, reader, hookFiles: [], positions: {}, now: () => 0 });
  const begun = performance.now();
  const isAll = await output.read(false, async () => void vi.advanceTimersByTime(10));
  await output.close();
  expect(isAll).toBe(false);
  return performance.now() - begun;
}

test('much output is read for a quarter of a second per look', async () => {
  expect(await readingMs(16 * 1024 ** 2)).toBe(260);
});

test('a flood of which most is skipped anyway takes a fifth of that: the agent needs the processor', async () => {
  expect(await readingMs(64 * 1024 ** 2)).toBe(60);
});
