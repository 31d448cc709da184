import { describe, expect, it } from 'vitest';
import { type Signal, SIGNALS, type SignalType, stops } from '../../../src/core/vocabulary/signal.ts';
import { readRunMetrics, writeRunMetrics } from '../../../src/core/view/metrics-code.ts';
import { runMetrics } from '../../../src/core/view/run-metrics.ts';
import { taskMetrics } from '../../../src/report/metrics/task-metrics.ts';
import { Story } from '../story.ts';

const LOOP = 'make: 5 times with the same result, nothing changed in between';

function working({ takesNudges = true, waitMs = 60_000 } = {}): Story {
  const story = new Story({ policy: { nudge_wait_ms: waitMs } }).prepared();
  story.tell({
    type: 'attempt_started',
    attempt: 1,
    agent: 'claude',
    agentVersion: null,
    agentSession: null,
    level: 'group',
    handle: {},
    ...(takesNudges ? { takesNudges: true } : {}),
  });
  return story;
}

function raise(story: Story, type: SignalType = 'looping', severity: Signal['severity'] = 'critical'): void {
  const signal: Signal = {
    type,
    severity,
    reason: LOOP,
    sinceAt: story.now,
    at: story.now,
    evidence: [],
    confidence: 0.95,
    suggestedAction: 'look',
  };
  story.tell({ type: 'signal_raised', attempt: 1, signal });
}

describe('an agent that can be told something while it works', () => {
  it('is told once what it does before it is stopped for it, and no incident is opened', () => {
    const story = working();
    raise(story);
    expect(story.commands()).toEqual(['nudge_attempt']);
    expect(story.state.life.type).toBe('working');
    expect(story.state.incidents).toEqual([]);
    const text = story.state.attempts[0]?.nudge?.text ?? '';
    expect(text).toContain(SIGNALS.looping.nudge);
    expect(text).toMatch(/<<\w+ make: 5 times .* \w+>>/);
  });

  it('is shown a warning only, and is told nothing', () => {
    const story = working();
    raise(story, 'looping', 'warning');
    expect(story.last.decisions).toEqual([]);
  });

  it('is stopped when it heard the message and goes on like that', () => {
    const story = working();
    raise(story);
    story.tell({ type: 'nudge_heard', attempt: 1 });
    expect(story.last.timers.cancel).toContain('nudge');
    raise(story);
    expect(story.commands()).toEqual(['stop_attempt']);
    expect(story.state.incidents).toMatchObject([{ class: 'looping' }]);
  });

  it('is not stopped for what it did before the message reached it', () => {
    const story = working();
    raise(story);
    raise(story, 'repeated_error');
    expect(story.commands()).toEqual([]);
    expect(story.state.life.type).toBe('working');
  });

  it('is stopped when it has not taken the message in time', () => {
    const story = working({ waitMs: 60_000 });
    raise(story);
    expect(story.last.timers.set).toEqual([{ name: 'nudge', dueAt: story.now + 60_000 }]);
    story.tell({ type: 'timer_fired', name: 'nudge' }, 60_000);
    expect(story.commands()).toEqual(['stop_attempt']);
    expect(story.state.attempts[0]?.stoppedFor).toEqual({ class: 'looping', reason: LOOP });
  });

  it('that heard the message in time is not stopped by a timer that was on its way', () => {
    const story = working();
    raise(story);
    story.tell({ type: 'nudge_heard', attempt: 1 });
    story.tell({ type: 'timer_fired', name: 'nudge' });
    expect(story.state.life.type).toBe('working');
  });

  it('takes a message once: a second report of it is stale', () => {
    const story = working();
    expect(story.tell({ type: 'nudge_heard', attempt: 1 })).toBeNull();
    raise(story);
    expect(story.tell({ type: 'nudge_heard', attempt: 2 })).toBeNull();
    expect(story.tell({ type: 'nudge_heard', attempt: 1 })).not.toBeNull();
    expect(story.tell({ type: 'nudge_heard', attempt: 1 })).toBeNull();
  });

  it('that ends before it takes the message leaves no timer behind', () => {
    const story = working();
    raise(story);
    story.tell({
      type: 'attempt_ended',
      attempt: 1,
      exit: { exitCode: 0, signal: null, endedBy: 'itself', outOfMemory: false, exitedAt: null },
    });
    expect(story.last.timers.cancel).toContain('nudge');
  });

  const unreachable = (Object.keys(SIGNALS) as SignalType[]).filter(
    (type) => stops({ type }) && SIGNALS[type].nudge === undefined,
  );
  it.each(unreachable)(
    'is stopped at once for %s: it makes no call with which a message could reach it',
    (type) => {
      const story = working();
      raise(story, type);
      expect(story.commands()).toEqual(['stop_attempt']);
    },
  );
});

it('an agent that cannot be told anything is stopped at once', () => {
  const story = working({ takesNudges: false });
  raise(story);
  expect(story.commands()).toEqual(['stop_attempt']);
});

it('nudge_wait_ms 0 stops at once', () => {
  const story = working({ waitMs: 0 });
  raise(story);
  expect(story.commands()).toEqual(['stop_attempt']);
});

describe('the numbers of a run', () => {
  const DONE = { claimsDone: true };
  const WELL = { exitCode: 0, endedBy: 'itself' } as const;
  const numbersOf = (story: Story) => {
    const stored = readRunMetrics(writeRunMetrics(runMetrics(story.state)));
    const { nudged, recovered_after_nudge, recovered_after_warning, incidents } = taskMetrics(
      stored === null ? [] : [stored],
    );
    return { nudged, recovered_after_nudge, recovered_after_warning, incidents };
  };

  it('count an agent that went on after the message apart from rescues', () => {
    const story = working();
    raise(story);
    story.tell({ type: 'nudge_heard', attempt: 1 });
    story.ended(WELL, DONE);
    expect(numbersOf(story)).toEqual({
      nudged: 1,
      recovered_after_nudge: 1,
      recovered_after_warning: 0,
      incidents: 0,
    });
  });

  it('count no message that the agent never took', () => {
    const story = working();
    raise(story);
    story.ended(WELL, DONE);
    expect(numbersOf(story)).toMatchObject({
      nudged: 0,
      recovered_after_nudge: 0,
      recovered_after_warning: 1,
    });
  });

  it('count an agent that was warned about and finished', () => {
    const story = working();
    raise(story, 'flat_results', 'warning');
    story.ended(WELL, DONE);
    expect(numbersOf(story)).toMatchObject({ nudged: 0, recovered_after_warning: 1 });
  });

  it('do not count one that was stopped, and none for an honest run', () => {
    const stopped = working();
    raise(stopped);
    stopped.tell({ type: 'nudge_heard', attempt: 1 });
    raise(stopped);
    stopped.ended({ exitCode: 130, endedBy: 'mayday' });
    expect(numbersOf(stopped)).toMatchObject({ nudged: 1, recovered_after_nudge: 0, incidents: 1 });
    const honest = working().ended(WELL, DONE);
    expect(numbersOf(honest)).toMatchObject({ nudged: 0, recovered_after_warning: 0 });
  });
});
