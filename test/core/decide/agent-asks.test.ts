import { describe, expect, it } from 'vitest';
import { openQuestion } from '../../../src/core/state/run-state.ts';
import type { Examination } from '../../../src/core/vocabulary/events/examination.ts';
import { runJson } from '../../../src/core/view/run-json.ts';
import { CHECKPOINT, Story } from '../story.ts';

const ASKS = { text: 'Which store should I use?', options: ['Postgres', 'SQLite'] };
const WORK = { created: ['a.txt'], changed: [], deleted: [], completed: [], missing: [], delivered: false };

function ended(examination: Partial<Examination>, checks: readonly string[] = ['test -f a.txt']): Story {
  const story = new Story({ task: { checks } }).prepared().started();
  return story.ended({ exitCode: 0 }, { claimsDone: true, claim: 'done', asks: ASKS, ...examination });
}

describe('an agent that asks', () => {
  it('and left no work is heard: its words, its options, and a reply', () => {
    const { state } = ended({});
    const question = openQuestion(state)?.question;
    expect(question?.text).toContain(ASKS.text);
    expect(question?.options.map(({ id }) => id)).toEqual(['option_1', 'option_2', 'reply', 'abandon']);
    expect(runJson(state).incidents).toMatchObject([{ class: 'waiting_for_input', strategy: 'escalate' }]);
    expect(JSON.stringify(runJson(state))).not.toContain('says that it is done');
  });

  it('gets the reply in the same conversation, and is not counted for it', () => {
    const story = ended({});
    story.tell({
      type: 'question_answered',
      question: 'r1-q1',
      option: 'reply',
      note: 'SQLite, always',
      by: 'ann',
    });
    const attempt = story.state.attempts.at(-1);
    expect(attempt).toMatchObject({ number: 2, resumed: true, counted: false });
    expect(attempt?.brief).toContain('SQLite, always');
    expect(attempt?.brief).toContain(ASKS.text);
  });

  it('without a session of its own is not promised the same conversation', () => {
    const story = new Story({ task: { checks: [] } }).prepared();
    story.tell({
      type: 'attempt_started',
      attempt: 1,
      agent: 'command',
      agentVersion: null,
      agentSession: null,
      level: 'process-group',
      handle: {},
    });
    story.ended({ exitCode: 0 }, { claimsDone: true, asks: ASKS });
    const asked = JSON.stringify(openQuestion(story.state)?.question);
    expect(asked).toContain('the agent ended with this question');
    expect(asked).not.toMatch(/session can go on|same conversation/);
    expect(JSON.stringify(openQuestion(ended({}).state)?.question)).toMatch(
      /session can go on.*same conversation/s,
    );
  });

  it('the same once more after a reply shows the reply, and offers a rescue', () => {
    const story = ended({});
    const first = openQuestion(story.state)?.question;
    expect(first?.tried).toEqual([]);
    const reply = { option: 'reply', note: 'SQLite, always', by: 'ann' };
    story.tell({ type: 'question_answered', question: 'r1-q1', ...reply });
    story.started().ended({ exitCode: 0 }, { claimsDone: true, claim: 'done', asks: ASKS });
    const second = openQuestion(story.state)?.question;
    expect(second?.tried).toEqual(['your answer (reply to the agent): "SQLite, always"; then it came again']);
    expect(second?.options.map(({ id }) => id)).toContain('rescue');
  });

  it('a reply needs words', () => {
    const story = ended({});
    expect(
      story.tell({ type: 'question_answered', question: 'r1-q1', option: 'reply', note: ' ', by: 'ann' }),
    ).toBeNull();
  });

  it('is heard where its work fails the check', () => {
    const story = ended({ partialWork: WORK, checkpoint: CHECKPOINT });
    expect(story.commands()).toEqual(['run_checks']);
    story.checked('gate', 't1', false, ['a.txt']);
    expect(openQuestion(story.state)?.question.text).toContain(ASKS.text);
  });

  it('and whose work passes every check is delivered; the question is only noted', () => {
    const story = ended({ partialWork: WORK, checkpoint: CHECKPOINT });
    story.checked('gate', 't1', true, ['a.txt']);
    expect(story.commands()).toEqual(['deliver']);
    expect(story.state.questions).toEqual([]);
    expect(story.state.notes.map(({ text }) => text).join()).toContain(ASKS.text);
  });

  it('where nothing could check its work is heard', () => {
    expect(
      openQuestion(ended({ partialWork: WORK, checkpoint: CHECKPOINT }, []).state)?.question.text,
    ).toContain(ASKS.text);
  });

  it('an agent that does not ask and fails the check is sent back as before', () => {
    const story = new Story().prepared().started();
    story.ended(
      { exitCode: 0 },
      { claimsDone: true, claim: 'done', partialWork: WORK, checkpoint: CHECKPOINT },
    );
    story.checked('gate', 't1', false, ['a.txt']);
    expect(story.state.questions).toEqual([]);
  });
});
