/** What went by while a run was stuck is told only where the record tells it of that part. */
import { expect, test } from 'vitest';
import { spentSince } from '../../../src/report/autopsy/turns.ts';
import type { TranscriptEntry } from '../../../src/core/vocabulary/transcript.ts';

const call = (id: string): TranscriptEntry => ({ type: 'tool_call', at: 0, id, tool: 'Bash', input: 'ls' });
const usage = (outputTokens: number, costUsd?: number): TranscriptEntry => ({
  type: 'usage',
  at: 0,
  usage: {
    inputTokens: 0,
    outputTokens,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    ...(costUsd === undefined ? {} : { costUsd }),
  },
});

test('usage that is told all along is told of the part', () => {
  expect(spentSince([usage(1_000), call('1'), usage(5_000), call('2')], 3)).toBe('4k tokens');
});

test('usage that is told only at the end is of the whole run, not of its end', () => {
  expect(spentSince([call('1'), call('2'), usage(5_000, 2)], 1)).toBeNull();
});

test('money that is told only at the end is not told of a part', () => {
  expect(spentSince([usage(1_000), call('1'), usage(5_000, 2), call('2')], 3)).toBe('4k tokens');
});

test('from the first call on, the whole is what was spent', () => {
  expect(spentSince([call('1'), call('2'), usage(5_000, 2)], 0)).toContain('$2.00');
});
