import { describe, expect, it } from 'vitest';
import { totalUsage } from '../../../src/core/state/usage.ts';
import { Story } from '../story.ts';

const usage = (inputTokens: number, costUsd: number) => ({
  inputTokens,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  costUsd,
});

describe('usage that an agent reports', () => {
  it('never goes backwards within an attempt, whatever the agent counts', () => {
    const story = new Story().prepared().started();
    for (const [tokens, usd] of [
      [1_000, 2],
      [10, 0.1],
      [-5, -1],
      [Number.NaN, Number.NaN],
      [Number.POSITIVE_INFINITY, 1],
    ] as const)
      story.tell({ type: 'usage_reported', attempt: 1, usage: usage(tokens, usd) });
    expect(totalUsage(story.state)).toMatchObject({ tokens: 1_000, costUsd: 2 });
  });

  it('stays untold where it was never told', () => {
    const story = new Story().prepared().started();
    const { costUsd: _, ...tokens } = usage(7, 0);
    story.tell({ type: 'usage_reported', attempt: 1, usage: tokens });
    expect(story.state.attempts[0]?.usage).toEqual(tokens);
  });
});
