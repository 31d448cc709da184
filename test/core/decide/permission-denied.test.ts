import { expect, it } from 'vitest';
import { observedDiagnosis } from '../../../src/core/decide/recovery/incident-diagnosis.ts';
import { CHECKPOINT, Story } from '../story.ts';

const RULE = 'Bash(npm publish)';
const DENIED = {
  claimsDone: true,
  claim: 'done',
  diagnosis: observedDiagnosis('permission_denied', 'the agent was denied what it tried last', [RULE]),
  deniedTools: [RULE],
  checkpoint: CHECKPOINT,
};

function denied(deniedTools: readonly string[] = [RULE]): Story {
  return new Story()
    .prepared()
    .started()
    .ended({ exitCode: 0 }, { ...DENIED, deniedTools })
    .checked('gate', 't1', false, []);
}

it('an agent that was denied and claims done is not retried: a person is asked once, by the name of what was denied', () => {
  const story = denied();
  expect(story.state.incidents[0]).toMatchObject({ class: 'permission_denied', recoveries: [{ phase: 3 }] });
  expect(story.state.attempts).toHaveLength(1);
  expect(story.state.questions[0]?.question).toMatchObject({
    kind: 'permission',
    text: expect.stringContaining(RULE),
    recommended: 'revise_work',
  });
});

it("a person's answer allows exactly that, for this run, and the agent goes on", () => {
  const story = denied();
  const question = story.state.questions[0]?.question.id as string;
  story.tell({ type: 'question_answered', question, option: 'allow', note: '', by: 'ann' });
  expect(story.state.options.permissions).toEqual([RULE]);
  expect(story.commands()).toEqual(['start_attempt']);
});

it('an answer never switches all permissions off', () => {
  const story = denied(['all', RULE]);
  const question = story.state.questions[0]?.question.id as string;
  story.tell({ type: 'question_answered', question, option: 'allow', note: '', by: 'ann' });
  expect(story.state.options.permissions).toEqual([RULE]);
});

it('denied, but the work passes its checks all the same: delivered', () => {
  const story = new Story().prepared().started().ended({ exitCode: 0 }, DENIED);
  story.checked('gate', 't1', true, ['a.txt']);
  expect(story.commands()).toEqual(['deliver']);
});
