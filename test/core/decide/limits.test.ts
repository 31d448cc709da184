import { expect, it } from 'vitest';
import { openQuestion } from '../../../src/core/state/run-state.ts';
import { Story } from '../story.ts';

it('a hard budget that is used up is what is told, also when no restart is left', () => {
  const budget = { tokens: 1_000, usd: null, turns: null, wallClockMs: null };
  const story = new Story({ task: { budget }, policy: { restarts: 1 } }).prepared().started();
  story.ended().waited().started();
  const usage = { inputTokens: 900, outputTokens: 900, cacheReadTokens: 0, cacheWriteTokens: 0 };
  story.tell({ type: 'usage_reported', attempt: 2, usage });
  story.ended({ exitCode: null, signal: 'SIGTERM', endedBy: 'mayday' });
  expect(openQuestion(story.state)?.question).toMatchObject({
    kind: 'budget',
    whyNow: 'the hard budget comes first',
  });
});

it('one restart is told as one', () => {
  const story = new Story({ policy: { restarts: 1 } })
    .prepared()
    .started()
    .ended()
    .waited()
    .started()
    .ended();
  expect(openQuestion(story.state)?.question.whyNow).toBe(
    '1 restart in 10 min is as many as the policy allows',
  );
});

it('a policy without restarts is told as that, not as a count of none', () => {
  const story = new Story({ policy: { restarts: 0 } }).prepared().started().ended();
  expect(openQuestion(story.state)?.question.whyNow).toBe('this run may not restart by itself (restarts: 0)');
});
