/** What happens when a timer rings: the next attempt, the time limit, and the deadline of a question. */
import { describe, expect, it } from 'vitest';
import { timerFired } from '../../../src/core/decide/on-time.ts';
import { Turn } from '../../../src/core/decide/turn.ts';
import type { RunState } from '../../../src/core/state/run-state.ts';
import type { Policy } from '../../../src/core/vocabulary/policy.ts';
import { Story } from '../story.ts';

const DEADLINE = { question_deadline_ms: 60_000, restarts: 0 };

/** Its one attempt failed, it may not be restarted, and a person is asked until the deadline. */
function asking(policy: Partial<Policy> = {}): Story {
  return new Story({ policy: { ...DEADLINE, ...policy } }).prepared().started().ended();
}

describe('the deadline of a question', () => {
  it('is set when it is asked', () => {
    const story = asking();
    expect(story.last.timers.set).toContainEqual({ name: 'question', dueAt: story.now + 60_000 });
    expect(story.state.questions[0]?.question.deadlineAt).toBe(story.now + 60_000);
    expect(asking({ question_deadline_ms: 0 }).last.timers.set).toEqual([]);
  });

  it('ends the run without an answer', () => {
    const story = asking();
    story.tell({ type: 'timer_fired', name: 'question' });
    expect(story.state.life).toMatchObject({
      type: 'ended',
      state: 'abandoned',
      reason: 'nobody answered the question by its deadline',
    });
  });

  it('starts a rescue where the policy says so, once', () => {
    const story = asking({ rescue_at_deadline: 1 });
    story.tell({ type: 'timer_fired', name: 'question' });
    expect(story.commands()).toEqual(['start_attempt']);
    expect(story.state.missions).toMatchObject([{ owner: 'policy: rescue_at_deadline' }]);
    expect(story.state.attempts.at(-1)?.brief).toContain('Choose the smallest safe reading');
    story.started().ended();
    story.tell({ type: 'timer_fired', name: 'question' });
    expect(story.state.life).toMatchObject({ type: 'ended', state: 'abandoned' });
  });

  it.each(['login', 'budget', 'shared_cause', 'refusal'])(
    'starts no rescue for a question about a %s',
    (kind) => {
      const story = asking({ rescue_at_deadline: 1 });
      story.state = {
        ...story.state,
        questions: story.state.questions.map((one) => ({ ...one, question: { ...one.question, kind } })),
      };
      story.tell({ type: 'timer_fired', name: 'question' });
      expect(story.state.life).toMatchObject({ type: 'ended', state: 'abandoned' });
      expect(story.state.missions).toEqual([]);
    },
  );

  it('starts no rescue of a run that a person stopped', () => {
    const { state, now } = asking({ rescue_at_deadline: 1 });
    const turn = new Turn(
      { ...state, asked: { stop: { by: 'ann', reason: '' }, abandon: null } },
      { at: now },
    );
    timerFired(turn, 'question');
    expect(turn.state.missions).toEqual([]);
  });

  it('never ends a run that has a live process: it is set again', () => {
    const story = new Story({ policy: DEADLINE }).prepared().started();
    story.tell({ type: 'attempt_unkillable', attempt: 1, evidence: [] });
    story.tell({ type: 'timer_fired', name: 'question' });
    expect(story.state.life).toMatchObject({ type: 'waiting', for: 'person' });
    expect(story.last.timers.set).toEqual([{ name: 'question', dueAt: story.now + 60_000 }]);
  });
});

describe('the end of a pause', () => {
  const at = (state: RunState, now: number) => {
    const turn = new Turn(state, { at: now });
    timerFired(turn, 'retry');
    return turn.commands.map(({ command }) => command);
  };

  it('starts the next attempt as the last recovery says', () => {
    const { state, now } = new Story().prepared().started().ended();
    expect(at(state, now)).toMatchObject([{ type: 'start_attempt', attempt: 2 }]);
    const turn = new Turn(state, { at: now });
    timerFired(turn, 'retry');
    expect(turn.state.attempts.at(-1)?.counted).toBe(true);
  });

  it('delivers again what passed every gate', () => {
    const { state, now } = new Story().prepared().started().ended();
    const passed = { tree: 't9', unverified: false, decidedAt: 1, target: 'c9' };
    const [command] = at({ ...state, delivery: { ...state.delivery, passed } }, now);
    expect(command).toMatchObject({ type: 'deliver', tree: 't9', target: 'c9', salvage: false });
  });

  it('starts an attempt that was parked', () => {
    const story = new Story().prepared();
    const hold = { key: 'k', kind: 'limit', until: story.now + 50, reason: '', holder: 'r2' } as const;
    story.tell({ type: 'held', hold, attempt: 1 });
    expect(at({ ...story.state, holds: [] }, story.now)).toMatchObject([
      { type: 'start_attempt', attempt: 1 },
    ]);
  });
});

describe('the time limit of an attempt', () => {
  it('stops it and says after how long', () => {
    const story = new Story({ policy: { timeout_ms: 7_200_000 } }).prepared().started();
    story.tell({ type: 'timer_fired', name: 'timeout' });
    expect(story.last.commands.map(({ command }) => command)).toMatchObject([
      {
        type: 'stop_attempt',
        attempt: 1,
        by: 'mayday',
        why: 'timeout: still running after its limit of 2 h',
      },
    ]);
    expect(story.state.incidents).toMatchObject([{ class: 'timeout', attempt: 1, detectedAt: story.now }]);
    expect(story.state.attempts[0]?.stoppedFor).toEqual({
      class: 'timeout',
      reason: 'attempt 1 was still running after its time limit of 2 h, and was stopped',
    });
  });

  it('concerns no run that does something else, and no timer of another name does anything', () => {
    const { state, now } = new Story().prepared().started().ended();
    for (const name of ['timeout', 'other']) {
      const turn = new Turn(state, { at: now });
      timerFired(turn, name);
      expect([turn.commands, turn.decisions]).toEqual([[], []]);
    }
  });
});
