import { expect, it } from 'vitest';
import { ending, tell } from '../../../src/cli/render/story.ts';
import { marked } from '../../core/hostile-texts.ts';
import { ENDED, Story } from '../../core/story.ts';

const asked = () =>
  marked(new Story({ task: { checks: [] } }))
    .prepared()
    .started()
    .ended(
      { exitCode: 0 },
      { claimsDone: true, asks: { text: 'Which store? SQLite or Postgres?', options: [] } },
    );

it('the story of a run tells what a person was asked and what they said', () => {
  const story = asked();
  const answer = {
    type: 'question_answered',
    question: 'r1-q1',
    option: 'reply',
    note: 'SQLite',
    by: 'ann',
  } as const;
  story.tell(answer);
  const told = tell({ ...answer, at: story.now, seq: 9 } as never, story.state).join('\n');
  expect(told).toContain('The agent asks: “Which store? SQLite or Postgres?”');
  expect(told).toContain('ann: reply to the agent · SQLite');
});

it('a run that ended after a rescue asks what it taught until that is said', () => {
  const story = asked();
  const plan = { category: null, rootCause: null, evidence: [], filesAdded: [], specChanges: [] };
  story.tell({ type: 'rescue_requested', by: 'ann', plan: { ...plan, injection: 'SQLite' } });
  story.started().ended({ exitCode: 0 }, { claimsDone: true, asks: { text: 'Which store?', options: [] } });
  const told = () => ending({ ...story.state, life: ENDED }).join('\n');
  expect(told()).toContain('mayday missions close r1-m1');
  story.tell({ type: 'mission_enriched', mission: 'r1-m1', contextUpdates: [], reason: 'a slip', by: 'ann' });
  expect(told()).not.toContain('mayday missions close');
});
