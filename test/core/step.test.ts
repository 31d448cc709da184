import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../src/core/vocabulary/events/event.ts';
import { fold } from '../../src/core/state/fold.ts';
import { step } from '../../src/core/step.ts';
import { CHECKPOINT, PREPARED, Story } from './story.ts';

const DONE = {
  claimsDone: true,
  claim: 'done',
  checkpoint: CHECKPOINT,
};

describe('a run that goes well', () => {
  it('is prepared, checked before, started, checked after and delivered, each by one command', () => {
    const story = new Story();
    expect(story.commands()).toEqual(['prepare_workspace']);
    story.prepared();
    expect(story.commands()).toEqual(['start_attempt']);
    story.started().ended({ exitCode: 0 }, DONE);
    expect(story.commands()).toEqual(['run_checks']);
    story.checked('gate', 't1', true, ['a.txt']);
    expect(story.commands()).toEqual(['deliver']);
    story.tell({ type: 'work_delivered', ref: 'mayday/r1', files: ['a.txt'], salvage: false });
    expect(story.state.life).toMatchObject({ type: 'ended', state: 'delivered' });
    expect(story.commands()).toEqual(['release']);
  });

  it('is only "unverified" when there was nothing to check with', () => {
    const story = new Story({ task: { checks: [] } }).prepared().started().ended({ exitCode: 0 }, DONE);
    story.checked('gate', 't1', true, ['a.txt']);
    story.tell({ type: 'work_delivered', ref: 'mayday/r1', files: ['a.txt'], salvage: false });
    expect(story.state.life).toMatchObject({ type: 'ended', state: 'unverified' });
  });
});

describe('exit 0 proves nothing', () => {
  it('a failing check turns a claim into a false success, resumed with the failing gate', () => {
    const story = new Story()
      .prepared()
      .started()
      .ended({ exitCode: 0 }, DONE)
      .checked('gate', 't1', false, ['a.txt']);
    expect(story.state.incidents[0]).toMatchObject({
      class: 'false_success',
      recoveries: [{ strategy: 'resume', phase: 2 }],
    });
    expect(story.last.decisions).toContainEqual(
      expect.objectContaining({
        type: 'blocked',
        blockers: [expect.objectContaining({ code: 'check_failed' })],
      }),
    );
  });

  it('a claim without any change is a false success too', () => {
    const story = new Story()
      .prepared()
      .started()
      .ended({ exitCode: 0 }, DONE)
      .checked('gate', 't1', true, []);
    expect(story.state.incidents[0]).toMatchObject({ class: 'false_success' });
    expect(story.last.decisions).toContainEqual(
      expect.objectContaining({
        type: 'blocked',
        blockers: [expect.objectContaining({ code: 'empty_change' })],
      }),
    );
  });
});

describe('stale words change nothing', () => {
  it('the end of an earlier attempt does not touch the present one', () => {
    const story = new Story().prepared().started().ended().waited();
    expect(story.state.attempts).toHaveLength(2);
    const exit = {
      exitCode: 1,
      signal: null,
      outOfMemory: false,
      endedBy: 'itself' as const,
      exitedAt: null,
    };
    expect(step(story.state, { type: 'attempt_ended', at: story.now, attempt: 1, exit })).toBeNull();
  });

  it('the same end told twice is taken once', () => {
    const story = new Story().prepared().started().ended();
    const exit = {
      exitCode: 1,
      signal: null,
      outOfMemory: false,
      endedBy: 'itself' as const,
      exitedAt: null,
    };
    expect(step(story.state, { type: 'attempt_ended', at: story.now, attempt: 1, exit })).toBeNull();
  });

  it('a question is answered once', () => {
    const story = new Story({ policy: { restarts: 0 } }).prepared().started().ended();
    const question = story.state.questions[0]?.question.id ?? '';
    const answer = { type: 'question_answered' as const, question, option: 'retry', note: '', by: 'ann' };
    expect(story.tell(answer)).not.toBeNull();
    expect(story.tell(answer)).toBeNull();
  });

  it('nothing but its release happens to a run that has ended', () => {
    const story = new Story({ policy: { restarts: 0 } }).prepared().started().ended();
    story.tell({
      type: 'question_answered',
      question: story.state.questions[0]?.question.id ?? '',
      option: 'abandon',
      note: '',
      by: 'ann',
    });
    expect(story.state.life).toMatchObject({ type: 'ended', state: 'abandoned' });
    expect(story.tell({ type: 'resume_requested', by: 'ann', note: '' })).toBeNull();
    expect(story.tell({ type: 'released' })).not.toBeNull();
  });
});

it('the fold of facts and decisions is the state, and lines of a newer Mayday keep their place', () => {
  const events: RunEvent[] = [];
  const story = new Story();
  events.push(
    {
      type: 'run_created',
      at: story.now,
      task: story.state.task,
      policy: story.state.policy,
      agent: story.state.agent,
      options: story.state.options,
      repository: '/repo',
      by: 'ann',
    },
    ...story.last.decisions,
  );
  const record = (fact: Parameters<Story['tell']>[0]) => {
    const next = story.tell(fact);
    if (next !== null) events.push({ ...fact, at: story.now } as RunEvent, ...next.decisions);
  };
  record(PREPARED);
  expect(fold('r1', events)).toEqual(story.state);
  const newer = { type: 'from_the_future', at: story.now } as unknown as RunEvent;
  expect(fold('r1', [...events, newer])).toEqual({ ...story.state, seq: story.state.seq + 1 });
});
