import { describe, expect, it } from 'vitest';
import { evolve } from '../../../src/core/state/evolve.ts';
import { openQuestion } from '../../../src/core/state/run-state.ts';
import { CHECKPOINT, Story } from '../story.ts';

const HOUR = 3_600_000;
/** A run that used up its hour, and asks. */
function spent(): Story {
  const budget = { tokens: null, usd: 2, turns: null, wallClockMs: HOUR };
  const story = new Story({ task: { budget } }).prepared().started();
  story.tell({ type: 'timer_fired', name: 'budget' }, HOUR);
  return story.ended({ exitCode: null, signal: 'SIGTERM', endedBy: 'mayday' });
}

/** A run whose work leaves its scope, and asks. */
function outside(): Story {
  const story = new Story({ task: { scope: ['src/**'] } }).prepared().started();
  story.ended({ exitCode: 0 }, { claimsDone: true, claim: 'done', checkpoint: CHECKPOINT });
  return story.checked('gate', 't1', true, ['src/a.ts', 'db/b.ts']);
}

function answer(story: Story, option: string, note = ''): Story {
  const question = openQuestion(story.state)?.question.id ?? '';
  story.tell({ type: 'question_answered', question, option, note, by: 'ann' });
  return story;
}

function consequences({ state }: Story): Record<string, unknown> {
  const options = openQuestion(state)?.question.options ?? [];
  return Object.fromEntries(options.map(({ id, consequence }) => [id, consequence]));
}

describe('an option says what it will do, with the values of this run', () => {
  it('about a budget', () => {
    const twice = { tokens: null, usd: 4, turns: null, wallClockMs: 2 * HOUR };
    const quarter = { tokens: null, usd: 2.5, turns: null, wallClockMs: 1.25 * HOUR };
    expect(consequences(spent())).toMatchObject({
      raise_budget: { type: 'raise_budget', budget: twice },
      revise_work: { type: 'raise_budget', budget: quarter },
      abandon: { type: 'abandon' },
    });
  });

  it('about a scope', () => {
    expect(consequences(outside())).toMatchObject({
      expand_scope: { type: 'widen_scope', globs: ['db/b.ts'] },
      revise_work: { type: 'tell_agent', told: 'option' },
      split_work: { type: 'split_work' },
    });
  });
});

describe('an answer', () => {
  it('is followed by a decision that carries the new values', () => {
    const [applied] = answer(outside(), 'expand_scope').last.decisions;
    expect(applied).toMatchObject({
      type: 'answer_applied',
      option: 'expand_scope',
      changes: { scope: { allowed: ['src/**', 'db/b.ts'], by: 'ann; widened by ann' } },
    });
  });

  it('that only advises the agent changes no value', () => {
    const types = answer(outside(), 'revise_work', 'leave db alone').last.decisions.map(({ type }) => type);
    expect(types).not.toContain('answer_applied');
    expect(types).toContain('attempt_planned');
  });

  it('is folded by copying: the journal’s own value counts, whatever this version would work out', () => {
    const story = spent();
    const at = story.now;
    const told = {
      type: 'question_answered',
      question: 'r1-q1',
      option: 'raise_budget',
      note: '',
      by: 'ann',
      at,
    } as const;
    const after = evolve(story.state, told);
    expect(after.budget, 'the answer alone raises nothing').toEqual(story.state.budget);
    const budget = { tokens: null, usd: 2.07, turns: null, wallClockMs: 7 };
    const applied = {
      type: 'answer_applied',
      question: 'r1-q1',
      option: 'raise_budget',
      changes: { budget },
      at,
    } as const;
    expect(evolve(after, applied).budget).toEqual(budget);
  });
});
