import { describe, expect, it } from 'vitest';
import { askOpinion, type OpinionReply } from '../../../src/agents/opinion/ask-opinion.ts';
import type { OpinionQuestion } from '../../../src/core/opinion/opinion-question.ts';
import { readForm, sentence } from '../../../src/core/opinion/reply.ts';

const question: OpinionQuestion<{ cause: string }> = {
  kind: 'diagnose',
  prompt: 'why?',
  check: (reply) => {
    const answer = readForm(reply, { cause: sentence(100) });
    return typeof answer === 'string' ? answer : { answer, quotes: [], checked: [], confidence: 0.5 };
  },
};
const limits = { deadlineMs: 50, costUsd: 0.1 };
const never = new AbortController().signal;
const reply = (text: string, costUsd: number | null = 0.01): OpinionReply => ({ text, costUsd, tokens: 10 });
const asking = (...replies: readonly OpinionReply[]) => {
  const prompts: string[] = [];
  const ask = async (prompt: string) => {
    prompts.push(prompt);
    return replies[prompts.length - 1] ?? expect.fail('asked too often');
  };
  return { prompts, provider: { name: 'command', ask } };
};

describe('a question', () => {
  it('is answered with its provider, cost and tokens', async () => {
    const { provider } = asking(reply('{"cause":"no disk"}'));
    expect(await askOpinion(question, provider, limits, never)).toEqual({
      type: 'answered',
      opinion: {
        by: 'command',
        kind: 'diagnose',
        answer: { cause: 'no disk' },
        quotes: [],
        checked: [],
        confidence: 0.5,
        costUsd: 0.01,
        tokens: 10,
      },
    });
  });

  it('is asked once more with the reason of the refusal, and both replies are paid', async () => {
    const { provider, prompts } = asking(reply('hm'), reply('{"cause":"no disk"}'));
    expect(await askOpinion(question, provider, limits, never)).toMatchObject({ opinion: { costUsd: 0.02 } });
    expect(prompts[1]).toMatch(/^why\?[\s\S]*refused: the answer is not one JSON object/);
  });

  it('has no answer where two replies are refused', async () => {
    const { provider } = asking(reply('hm'), reply('{"cause":7}'));
    expect(await askOpinion(question, provider, limits, never)).toMatchObject({
      type: 'unanswered',
      reason: "the answer was refused: the answer's cause is missing or not of its form",
    });
  });

  it('is not asked again where the first reply cost more than allowed', async () => {
    const { provider, prompts } = asking(reply('hm', 0.2));
    expect(await askOpinion(question, provider, limits, never)).toMatchObject({
      type: 'unanswered',
      costUsd: 0.2,
    });
    expect(prompts).toHaveLength(1);
  });

  it('has no answer where the provider never ends, although it ignores the signal', async () => {
    const provider = { name: 'slow', ask: () => new Promise<OpinionReply>(() => undefined) };
    expect(await askOpinion(question, provider, limits, never)).toMatchObject({
      reason: 'no answer within 0.05 s',
    });
  });

  it('has no answer where the provider fails, and says why on one line', async () => {
    const provider = { name: 'gone', ask: () => Promise.reject(new Error('no\nlogin')) };
    expect(await askOpinion(question, provider, limits, never)).toMatchObject({
      reason: 'gone could not be asked: no login',
    });
  });

  it('ends when the run is stopped', async () => {
    const provider = { name: 'slow', ask: () => new Promise<OpinionReply>(() => undefined) };
    expect(await askOpinion(question, provider, limits, AbortSignal.abort())).toMatchObject({
      reason: 'stopped',
    });
  });
});
