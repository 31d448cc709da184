import { expect, it } from 'vitest';
import { rescueTimes } from '../../../src/core/view/rescue-times.ts';

it('a rescue has two durations, each with a word of its own, both from the moment it was noticed', () => {
  const moments = { detected: 1_000, resumed: 4_400, verified: 10_400 };
  expect(rescueTimes(moments)).toEqual(['resumed in 3.4 s', 'progress again in 9.4 s']);
  expect(rescueTimes({ ...moments, verified: null })).toEqual(['resumed in 3.4 s']);
  expect(rescueTimes({ detected: 0, resumed: null, verified: 112_000 })).toEqual([
    'progress again in 1 min 52 s',
  ]);
  expect(rescueTimes({ detected: null, resumed: 5, verified: 6 })).toEqual([]);
});
