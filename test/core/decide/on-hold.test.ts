/** Holds, shared causes and sleeps: what many runs have in common, told to one of them. */
import { describe, expect, it } from 'vitest';
import { observedDiagnosis } from '../../../src/core/decide/recovery/incident-diagnosis.ts';
import { openQuestion } from '../../../src/core/state/run-state.ts';
import type { HoldNotice } from '../../../src/core/vocabulary/hold.ts';
import { Story } from '../story.ts';

const MINUTE = 60_000;

it('the time limit of an attempt counts the time awake: sleeps add up, and a nap gives no new limit', () => {
  const story = new Story({ policy: { timeout_ms: 20 * MINUTE } }).prepared().started();
  const startedAt = story.now;
  const limit = () => story.last.timers.set.find(({ name }) => name === 'timeout')?.dueAt;
  story.tell({ type: 'clock_jumped', sleptMs: 60 * MINUTE, jumpedMs: 0 }, 65 * MINUTE);
  expect(limit()).toBe(startedAt + 80 * MINUTE);
  story.tell({ type: 'clock_jumped', sleptMs: MINUTE, jumpedMs: 2 * MINUTE }, 5 * MINUTE);
  expect(limit()).toBe(startedAt + 83 * MINUTE);
});

const notice = (more: Partial<HoldNotice> = {}): HoldNotice => ({
  key: 'k',
  kind: 'network',
  until: null,
  reason: 'it is down',
  holder: 'r2',
  ...more,
});

describe('a hold', () => {
  it('keeps a planned attempt from starting, and says why', () => {
    const story = new Story().prepared();
    story.tell({ type: 'held', hold: notice(), attempt: 1 });
    expect(story.state.life).toMatchObject({ type: 'waiting', for: 'host', reason: 'it is down' });
    story.tell({ type: 'hold_lifted', key: 'k', why: 'health was observed' });
    expect(story.commands()).toEqual(['start_attempt']);
  });

  it('leaves a run that pauses for its own reason as it is', () => {
    const story = new Story().prepared().started().ended();
    const { life } = story.state;
    story.tell({ type: 'held', hold: notice(), attempt: null });
    expect(story.state.life).toEqual(life);
    story.tell({ type: 'hold_lifted', key: 'k', why: '' });
    expect({ life: story.state.life, commands: story.commands() }).toEqual({ life, commands: [] });
  });

  it('that is lifted ends the pause of a run that waited for the network, and of no other', () => {
    const waits = (name: 'network_failure' | 'overloaded') => {
      const story = new Story().prepared().started();
      story.ended({}, { diagnosis: observedDiagnosis(name, 'x', ['x']) });
      story.state = { ...story.state, holds: [notice()] };
      story.tell({ type: 'hold_lifted', key: 'k', why: '' });
      return story.commands();
    };
    expect(waits('network_failure')).toEqual(['start_attempt']);
    expect(waits('overloaded')).toEqual([]);
  });

  it('that another run asks about takes the place of the question of this run', () => {
    const story = new Story({ policy: { restarts: 0 } }).prepared().started().ended();
    const asked = { ...story.state, life: { ...story.state.life, question: null } as never };
    story.state = asked;
    story.tell({ type: 'held', hold: notice({ kind: 'login' }), attempt: null });
    expect(story.state.life).toMatchObject({ type: 'waiting', for: 'host' });
    expect(story.last.timers.cancel).toContain('question');
  });
});

describe('a cause that runs share', () => {
  const found = (runs: readonly string[]) =>
    ({ type: 'shared_cause_found', key: 'k', runs, cause: 'no disk' }) as const;

  it('is asked about once, for all of them, and nothing is restarted', () => {
    const story = new Story().prepared().started().ended();
    story.tell(found(['r1', 'r2', 'r3', 'r4', 'r5', 'r6']));
    const question = openQuestion(story.state)?.question;
    expect(question).toMatchObject({
      kind: 'shared_cause',
      recommended: 'retry',
      options: [{ id: 'retry' }, { id: 'abandon' }],
    });
    expect(question?.text).toMatch(/^6 runs \(r1, r2, r3, r4, r5\) fail alike: /);
    expect(story.last.timers.cancel).toContain('retry');
    expect(story.state.incidents[0]?.recoveries.at(-1)).toMatchObject({
      strategy: 'escalate',
      reason: '6 runs (r1, r2, r3, r4, r5) fail alike: a shared cause, nothing more is restarted',
    });
    expect(story.state.delivery.blockers).toMatchObject([{ code: 'crashed' }]);
  });

  it('is not asked about beside an open question', () => {
    const story = new Story().prepared();
    story.tell({ type: 'held', hold: notice({ kind: 'disk', holder: 'r1' }), attempt: 1 });
    expect(openQuestion(story.state)?.question.kind).toBe('disk_low');
    story.tell(found(['r1', 'r2', 'r3']));
    expect(story.state.questions).toHaveLength(1);
  });

  it('is asked about also where this run has no incident', () => {
    const story = new Story().prepared();
    story.tell(found(['r1', 'r2', 'r3']));
    expect(openQuestion(story.state)?.question.kind).toBe('shared_cause');
    expect(story.state.delivery.blockers).toEqual([]);
  });
});

it('a sleep of the machine is noted, and moves no limit of a run whose agent does not work', () => {
  const story = new Story();
  story.tell({ type: 'clock_jumped', sleptMs: 90_000, jumpedMs: -5_000 });
  expect(story.state.notes.at(-1)?.text).toBe(
    'the machine slept or its clock moved by 90 s; nothing is counted',
  );
  expect(story.last.timers.set).toEqual([]);
  const planned = new Story().prepared();
  planned.tell({ type: 'clock_jumped', sleptMs: 90_000, jumpedMs: 0 });
  expect(planned.last.timers.set).toEqual([]);
});
