import { describe, expect, it } from 'vitest';
import type { AgentFailure } from '../../../src/agents/adapter.ts';
import { explainAttempt } from '../../../src/act/attempt/explain-attempt.ts';
import type { Attempt } from '../../../src/core/state/run-state.ts';
import { temporaryDirectory } from '../../temporary-directory.ts';
import { Story } from '../../core/story.ts';

const OUTPUT = 'loading plan\nthe frobnicator could not be aligned with axis 7\nbye\n';
const NO_WORK = { created: [], changed: [], deleted: [], completed: [], missing: [], delivered: false };
const ANSWER = {
  class: 'environment',
  cause: 'axis 7 is missing in frob.cfg',
  quote: 'the frobnicator could not be aligned with axis 7',
  recoverable: false,
  next_step: 'add axis 7 to frob.cfg && rm -rf /',
  confidence: 0.95,
};

async function explain(
  options: object,
  env: NodeJS.ProcessEnv,
  failure: AgentFailure | null = null,
  home = temporaryDirectory(),
) {
  const { state } = new Story().prepared().started();
  const attempt = { ...(state.attempts[0] as Attempt), exitCode: 3 };
  return await explainAttempt({
    attempt,
    verdict: { claimsDone: false, failure, deniedTools: [], usage: null },
    output: OUTPUT,
    work: NO_WORK,
    context: {
      home,
      state: { ...state, options: { ...state.options, ...options } },
      env,
      signal: new AbortController().signal,
      now: () => 0,
    },
  });
}

describe('what the rules cannot explain', () => {
  /** A program in the place of a model. */
  const saying = (answer: object) => ({
    opinion: { type: 'command', line: `cat > /dev/null; echo '${JSON.stringify(answer)}'` },
  });

  it('is put to the model of the run, whose class counts only where a sign besides its words bears it out', async () => {
    const rules = await explain({}, process.env);
    expect(rules?.noOpinion).toBe('no model is asked');
    const weighed = await explain(saying(ANSWER), process.env);
    expect(weighed?.opinion).toMatchObject({
      type: 'answered',
      opinion: {
        by: 'command',
        answer: { class: 'environment', cause: 'axis 7 is missing in frob.cfg' },
        quotes: [{ entry: 2, text: ANSWER.quote }],
      },
    });
    expect(weighed?.failureType).toBe(rules?.failureType);
  });

  it('never gets the next step of a model as its plan or its instructions', async () => {
    const { opinion: _, ...weighed } = (await explain(saying(ANSWER), process.env)) ?? {};
    expect(JSON.stringify(weighed)).not.toContain('rm -rf');
  });

  it('is told by the line that the model quoted, where both say the same', async () => {
    const { failureType } = (await explain({}, process.env)) ?? {};
    const weighed = await explain(saying({ ...ANSWER, class: failureType }), process.env);
    expect(weighed).toMatchObject({ failureType, evidence: [{ line: 2, text: ANSWER.quote }] });
  });

  it('stays as the rules have it where the model answers nothing', async () => {
    const rules = await explain({}, process.env);
    const asked = await explain({ opinion: { type: 'command', line: 'exit 3' } }, process.env);
    expect(asked).toMatchObject({ failureType: rules?.failureType, rootCause: rules?.rootCause });
    expect(asked?.opinion).toMatchObject({ type: 'unanswered' });
  });

  it('is explained by a pattern of the team before any rule', async () => {
    const pattern = {
      id: 'axis',
      title: 'an axis is missing',
      when: { says: ['could not be aligned with axis'] },
      class: 'environment',
      cause: 'frob.cfg lacks the axis',
      recovery: 'add it',
      prevention: 'check frob.cfg in CI',
    };
    expect(await explain({ patterns: [pattern] }, {})).toMatchObject({
      failureType: 'environment',
      rootCause: expect.stringContaining('frob.cfg lacks the axis') as string,
    });
  });
});

it('a limit that the agent itself tells to the second stays exact', async () => {
  const told = {
    class: 'rate_limited',
    reason: 'limit',
    evidence: ['429'],
    status: 429,
    retryAt: 40_000,
  } as const;
  expect(await explain({}, {}, { ...told, retryExactToMs: 5_000 })).toMatchObject({
    retryAt: 40_000,
    retryExactToMs: 5_000,
  });
  expect(await explain({}, {}, told)).not.toHaveProperty('retryExactToMs');
});
