import { describe, expect, it } from 'vitest';
import { BLOCKERS } from '../../../src/core/vocabulary/blockers/blocker.ts';
import type { BlockerCode } from '../../../src/core/vocabulary/blockers/blocker-rule.ts';
import { openQuestion } from '../../../src/core/state/run-state.ts';
import { runJson } from '../../../src/core/view/run-json.ts';
import { EXAMINATION, Story } from '../story.ts';

const REASON = 'the token store must be Postgres';

function flagged(): Story {
  const story = new Story().prepared().started();
  story.tell({ type: 'flag_raised', by: 'ann', reason: REASON });
  return story.ended({ exitCode: null, signal: 'SIGTERM', endedBy: 'mayday' });
}

function raised(note: { code?: string | null; options?: readonly string[]; evidence?: readonly string[] }) {
  const { code = null, options = [], ...more } = note;
  return new Story()
    .prepared()
    .started()
    .ended(
      { exitCode: 0 },
      { claimsDone: true, raised: { reason: 'two stores fit', code, question: null, options, ...more } },
    );
}

it('what an agent says when it raises the flag is not repeated as the reason of its question', () => {
  const asked = openQuestion(raised({}).state)?.question ?? expect.unreachable('it asks');
  expect(asked.whyNow).toBe('the agent raised the blocker flag');
});

describe('a flag that a person raises', () => {
  it('comes back in the question, the incident and the blocker', () => {
    const { incidents, questions, blockers } = runJson(flagged().state);
    expect(questions).toMatchObject([{ text: expect.stringContaining(REASON), evidence: [REASON] }]);
    expect(questions[0]?.text).toContain('ann raised the blocker flag');
    expect(questions[0]?.text).not.toContain('SIGTERM');
    expect(incidents).toMatchObject([{ class: 'waiting_for_input', evidence: [REASON] }]);
    expect(incidents[0]?.root_cause).toContain(REASON);
    expect(blockers).toMatchObject([{ code: 'waiting_for_input', returns_to: 'build', evidence: [REASON] }]);
  });

  it('is told to the agent that goes on', () => {
    const story = flagged();
    const question = openQuestion(story.state)?.question.id ?? '';
    story.tell({ type: 'question_answered', question, option: 'revise_work', note: '', by: 'ann' });
    expect(story.state.attempts.at(-1)?.brief).toContain(REASON);
    expect(story.state.delivery.blockers).toEqual([]);
    story.started().ended();
    expect(story.state.life, 'the flag is over').toMatchObject({ type: 'waiting', for: 'time' });
  });
});

describe('a flag that the agent raises', () => {
  it.each(Object.keys(BLOCKERS) as BlockerCode[])(
    'keeps its code %s and returns where that returns',
    (code) => {
      const { state } = raised({ code });
      const { incidents, blockers, questions } = runJson(state);
      expect(incidents).toMatchObject([{ class: code, return_to: BLOCKERS[code].returnsTo }]);
      expect(blockers).toMatchObject([
        { code, returns_to: BLOCKERS[code].returnsTo, evidence: ['two stores fit'] },
      ]);
      expect(questions).toMatchObject([{ kind: code }]);
      const question = openQuestion(state)?.question;
      expect(question?.about?.blockers, 'what the agent words lifts nothing').toEqual([]);
    },
  );

  it.each(Object.keys(BLOCKERS) as BlockerCode[])('about %s is answered to the agent', (code) => {
    const story = raised({ code });
    const question = openQuestion(story.state)?.question.id ?? '';
    story.tell({
      type: 'question_answered',
      question,
      option: 'answer_question',
      note: 'Postgres',
      by: 'ann',
    });
    expect(story.commands()).toEqual(['start_attempt']);
    expect(story.state.attempts.at(-1)?.brief).toContain('Postgres');
  });

  it('keeps the code of a failure class too', () => {
    expect(runJson(raised({ code: 'missing_dependency' }).state).incidents).toMatchObject([
      { class: 'missing_dependency', return_to: 'build' },
    ]);
  });

  it('with a code that nobody knows is asked all the same, and says so', () => {
    const { blockers, incidents } = runJson(raised({ code: 'vibes' }).state);
    expect(incidents).toMatchObject([{ class: 'waiting_for_input' }]);
    expect(blockers[0]?.evidence).toEqual(['two stores fit', 'the code "vibes" is not in the vocabulary']);
  });

  it('keeps its code when it had to be stopped for it', () => {
    const story = new Story().prepared().started();
    story.tell({
      type: 'signal_raised',
      attempt: 1,
      signal: {
        type: 'blocker_raised',
        severity: 'critical',
        reason: 'the agent raised the blocker flag',
        sinceAt: story.now,
        at: story.now,
        evidence: [],
        confidence: 1,
        suggestedAction: 'answer its question',
      },
    });
    const seenAt = story.now - 1_000;
    expect(story.commands()).toEqual(['stop_attempt']);
    const note = { reason: 'who decides?', code: 'judgment_missing', question: null, options: [] };
    story.ended({ exitCode: null, signal: 'SIGTERM', endedBy: 'mayday' }, { raised: note });
    expect(story.state.incidents).toMatchObject([{ class: 'judgment_missing', detectedAt: seenAt }]);
  });

  it('by a note that does not fit shows what could be read of it', () => {
    const { questions } = runJson(raised({ evidence: ['{"reason": "two sto'] }).state);
    expect(questions[0]?.evidence).toEqual(['two stores fit', '{"reason": "two sto']);
  });
});

describe('a flag on a run that has no agent at work', () => {
  const flag = { type: 'flag_raised', by: 'ann', reason: REASON } as const;
  const asks = (story: Story) => openQuestion(story.state)?.question.text ?? '';

  it('that is being prepared is kept: the question comes before the agent starts', () => {
    const story = new Story();
    expect(story.tell(flag)).not.toBeNull();
    story.prepared();
    expect(story.commands()).not.toContain('start_attempt');
    expect(asks(story)).toContain(REASON);
    story.tell({ type: 'question_answered', question: 'r1-q1', option: 'revise_work', note: '', by: 'ann' });
    expect(story.commands()).toEqual(['start_attempt']);
    expect(story.state.attempts.at(-1)?.brief).toContain(REASON);
  });

  it('that waits in the queue is kept', () => {
    const story = new Story({ queued: true });
    expect(story.tell(flag)).not.toBeNull();
    story.tell({ type: 'work_begun', by: 'ann' });
    story.prepared();
    expect(asks(story)).toContain(REASON);
  });

  it('that pauses before its next attempt asks at once', () => {
    const story = new Story().prepared().started().ended();
    expect(story.state.life).toMatchObject({ type: 'waiting', for: 'time' });
    story.tell(flag);
    expect(asks(story)).toContain(REASON);
    expect(story.last.timers.cancel).toContain('retry');
  });

  it('whose planned attempt is held: what ends that attempt later is not the flag, which was answered', () => {
    const story = new Story().prepared();
    const hold = { key: 'k', kind: 'network', until: null, reason: 'it is down', holder: 'r2' } as const;
    story.tell({ type: 'held', hold, attempt: 1 });
    story.tell(flag);
    story.tell({ type: 'question_answered', question: 'r1-q1', option: 'revise_work', note: '', by: 'ann' });
    story.tell({ type: 'hold_lifted', key: 'k', why: 'health was observed' });
    story.started().ended({ exitCode: 1 });
    expect(story.state.incidents).toMatchObject([{ class: 'waiting_for_input' }, { class: 'crashed' }]);
    expect(asks(story)).toBe('');
  });

  it('whose attempt is being examined asks after that', () => {
    const story = new Story().prepared().started();
    const exit = {
      exitCode: 1,
      signal: null,
      outOfMemory: false,
      endedBy: 'itself' as const,
      exitedAt: null,
    };
    story.tell({ type: 'attempt_ended', attempt: 1, exit });
    expect(story.tell(flag)).not.toBeNull();
    story.tell({ type: 'attempt_examined', attempt: 1, examination: EXAMINATION });
    expect(asks(story)).toContain(REASON);
  });

  it('that already waits for a person is not taken: there is a question to answer', () => {
    const story = new Story({ policy: { restarts: 0 } }).prepared().started().ended();
    expect(openQuestion(story.state)).toBeDefined();
    expect(story.tell(flag)).toBeNull();
  });
});
