import { describe, expect, it } from 'vitest';
import { workedMs } from '../../../src/core/state/working-time.ts';
import { openQuestion } from '../../../src/core/state/run-state.ts';
import { Story } from '../story.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const POLICY = { restarts: 9, restarts_total: 99, futile_rescues: 99, timeout_ms: 24 * HOUR, backoff_ms: 1 };

function budgeted(wallClockMs: number): Story {
  const budget = { tokens: null, usd: null, turns: null, wallClockMs };
  return new Story({ task: { budget }, policy: POLICY }).prepared().started();
}

/** When the timer rings, from now on; null: it is not set. */
function ringsIn(story: Story): number | null {
  const timer = story.last.timers.set.find(({ name }) => name === 'budget');
  return timer === undefined ? null : timer.dueAt - story.now;
}

describe('a budget of working time', () => {
  it('rings when it is used up, stops the attempt, and asks: raise, narrow or stop', () => {
    const story = budgeted(HOUR);
    expect(ringsIn(story)).toBe(HOUR);
    story.tell({ type: 'timer_fired', name: 'budget' }, HOUR);
    expect(story.commands()).toEqual(['stop_attempt']);
    story.ended({ exitCode: null, signal: 'SIGTERM', endedBy: 'mayday' });
    expect(story.last.decisions.map(({ type }) => type)).not.toContain('incident_diagnosed');
    expect(openQuestion(story.state)?.question).toMatchObject({
      kind: 'budget',
      text: expect.stringContaining('1 h of 1 h of working time used'),
      options: [
        { id: 'raise_budget', effect: 'budget then: 1 h of working time, once more' },
        { id: 'revise_work' },
        { id: 'waive_with_reason' },
        { id: 'abandon' },
      ],
    });
  });

  it('counts all attempts together, and no time between them', () => {
    const story = budgeted(HOUR);
    story.now += 40 * MINUTE;
    story.ended();
    story.now += 5 * HOUR;
    story.waited().started();
    expect(workedMs(story.state, story.now)).toBeGreaterThanOrEqual(40 * MINUTE);
    expect(workedMs(story.state, story.now)).toBeLessThan(41 * MINUTE);
    expect(ringsIn(story)).toBeLessThanOrEqual(20 * MINUTE);
    expect(ringsIn(story)).toBeGreaterThan(19 * MINUTE);
  });

  it('is the first limit: what it leaves nothing of is not tried again', () => {
    const story = budgeted(HOUR);
    story.now += HOUR;
    story.ended();
    expect(story.state.attempts).toHaveLength(1);
    expect(openQuestion(story.state)?.question.kind).toBe('budget');
    expect(story.state.incidents.at(-1)?.class).toBe('budget_exhausted');
  });

  it('that is raised goes on, and rings again after the same amount', () => {
    const story = budgeted(HOUR);
    story.tell({ type: 'timer_fired', name: 'budget' }, HOUR);
    story.ended({ exitCode: null, signal: 'SIGTERM', endedBy: 'mayday' });
    story.tell({ type: 'question_answered', question: 'r1-q1', option: 'raise_budget', note: '', by: 'ann' });
    expect(story.commands()).toEqual(['start_attempt']);
    story.started();
    expect(ringsIn(story)).toBeGreaterThan(59 * MINUTE);
    expect(ringsIn(story)).toBeLessThanOrEqual(HOUR);
  });

  it('does not count sleep of the machine: the timer is set again without it', () => {
    const story = budgeted(HOUR);
    story.now += 30 * MINUTE + 8 * HOUR;
    story.tell({ type: 'clock_jumped', sleptMs: 8 * HOUR, jumpedMs: 0 }, 0);
    expect(workedMs(story.state, story.now)).toBe(30 * MINUTE);
    expect(ringsIn(story)).toBe(30 * MINUTE);
  });

  it('that rings early rings again and harms nobody', () => {
    const story = budgeted(HOUR);
    story.tell({ type: 'timer_fired', name: 'budget' }, 10 * MINUTE);
    expect(story.state.life.type).toBe('working');
    expect(ringsIn(story)).toBe(50 * MINUTE);
  });

  it.each(['host', 'unobserved'] as const)(
    'does not count the hours between an end by %s and the next look: the journal knows when it last heard of the agent',
    (endedBy) => {
      const story = budgeted(HOUR);
      story.tell({ type: 'progress_observed', attempt: 1, kind: 'tree', detail: 'a file' }, 10 * MINUTE);
      story.tell({ type: 'taken_over', from: 'h:1', why: 'its keeper was gone' }, 9 * HOUR);
      story.ended({ exitCode: null, endedBy, exitedAt: null });
      expect(workedMs(story.state, story.now)).toBe(10 * MINUTE);
      expect(openQuestion(story.state)).toBeUndefined();
    },
  );

  it('is counted on while the keeper is dead and the agent lives', () => {
    const story = budgeted(HOUR);
    story.tell({ type: 'taken_over', from: 'h:1', why: 'its keeper was gone' }, 50 * MINUTE);
    expect(workedMs(story.state, story.now)).toBe(50 * MINUTE);
    story.ended({ exitedAt: story.now });
    expect(workedMs(story.state, story.now)).toBe(50 * MINUTE);
  });
});

it('a run without a budget of time has no such timer, and work inside the budget is left alone', () => {
  const free = new Story({ policy: POLICY }).prepared().started();
  expect(ringsIn(free)).toBeNull();
  const inside = budgeted(HOUR);
  inside.now += 30 * MINUTE;
  inside.ended();
  expect(inside.state.life).toMatchObject({ type: 'waiting', for: 'time' });
});
