/** Options that need a person's words: nobody speaks in their name. */
import { describe, expect, it } from 'vitest';
import { openQuestion } from '../../../src/core/state/run-state.ts';
import { runJson } from '../../../src/core/view/run-json.ts';
import { NO_RULES } from '../../../src/core/vocabulary/rules.ts';
import { renderQuestion } from '../../../src/cli/render/question.ts';
import { CHECKPOINT, Story } from '../story.ts';

function answer(story: Story, option: string, note: string) {
  const question = openQuestion(story.state)?.question.id ?? '';
  return story.tell({ type: 'question_answered', question, option, note, by: 'ann' });
}

function asking(): Story {
  const raised = { reason: 'two stores fit', code: null, question: 'which store?', options: [] };
  return new Story().prepared().started().ended({ exitCode: 0 }, { raised });
}

describe('an answer in words', () => {
  it('is not taken without them, and the question stays open', () => {
    const story = asking();
    expect(answer(story, 'answer_question', '  ')).toBeNull();
    expect(openQuestion(story.state)?.question.text).toMatch(/^The agent asks: <<(\w+) which store\? \1>>$/);
  });

  it('reaches the agent as the person said it, and nothing else does', () => {
    const story = asking();
    answer(story, 'answer_question', 'Postgres');
    expect(story.state.attempts.at(-1)?.brief).toMatch(
      /Decision on <<(\w+) The agent asks: “which store\?” \1>>: Postgres/,
    );
    expect(story.state.attempts.at(-1)?.brief).not.toContain('answer and go on');
  });

  it('is asked for where the question is shown and in its document', () => {
    const { state } = asking();
    const question = openQuestion(state)?.question;
    if (question === undefined) throw new Error('no question');
    const shown = renderQuestion('r1', question, null);
    expect(shown).toContain('(needs your words: --note)');
    expect(shown).toContain('mayday answer r1-q1 1 --note "YOUR WORDS"');
    // A screen that takes the answer itself names no option of a command.
    const onScreen = renderQuestion('r1', question, null, 'a: answer it here');
    expect(onScreen).toContain('a: answer it here');
    expect(onScreen).not.toMatch(/--note|mayday answer/);
    expect(runJson(state).next_step).toBe('mayday answer r1-q1 answer_question --note "YOUR WORDS"');
    expect(runJson(state).questions[0]?.options).toMatchObject([
      { id: 'answer_question', needs_note: true },
      { id: 'abandon', needs_note: false },
    ]);
  });
});

it('a waiver without its reason lifts nothing', () => {
  const story = new Story({ policy: { restarts: 0 } }).prepared().started();
  const checkpoint = CHECKPOINT;
  story.ended({ exitCode: 0 }, { claimsDone: true, claim: 'done', checkpoint });
  story.checked('gate', 't1', false, ['a.txt']);
  expect(answer(story, 'waive_with_reason', '')).toBeNull();
  expect(story.state.approvals).toEqual([]);
  expect(answer(story, 'waive_with_reason', 'it comes next week')).not.toBeNull();
});

it('a decision left to the agent is told as that, not as the name of an option', () => {
  const decision = {
    id: 'd',
    question: 'Which operator?',
    answer: null,
    by: null,
    since: null,
    paths: ['src/**'],
    file: 'd.md',
  };
  const story = new Story({ task: { scope: ['src/**'], checks: [] } });
  story.prepared({ rules: { ...NO_RULES, decisions: [decision] } });
  expect(answer(story, 'answer_question', '')).toBeNull();
  answer(story, 'record_judgment', '');
  expect(story.state.attempts.at(-1)?.brief).toMatch(
    /Decided: <<(\w+) Which operator\? \1>> leave it to the agent/,
  );
});
