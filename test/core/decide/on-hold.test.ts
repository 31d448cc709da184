import { expect, it } from 'vitest';
import { Story } from '../story.ts';

const MINUTE = 60_000;

it('the time limit of an attempt counts the time awake: sleeps add up, and a nap gives no new limit', () => {
  const story = new Story({ policy: { timeout_ms: 20 * MINUTE } }).prepared().started();
  const startedAt = story.now;
  const limit = () => story.last.timers.set.find(({ name }) => name === 'timeout')?.dueAt;
  story.tell({ type: 'clock_jumped', sleptMs: 60 * MINUTE, jumpedMs: 0 }, 65 * MINUTE);
  expect(limit()).toBe(startedAt + 80 * MINUTE);
  story.tell({ type: 'clock_jumped', sleptMs: MINUTE, jumpedMs: 2 * MINUTE }, 5 * MINUTE);
  expect(limit()).toBe(startedAt + 83 * MINUTE);
});
