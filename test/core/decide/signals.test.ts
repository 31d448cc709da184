import { describe, expect, it } from 'vitest';
import { POLICY_RULES } from '../../../src/core/vocabulary/policy.ts';
import { type Signal, SIGNALS, type SignalType } from '../../../src/core/vocabulary/signal.ts';
import { Story } from '../story.ts';

function afterSignal(type: SignalType, severity: Signal['severity']): Story {
  const story = new Story().prepared().started();
  const signal: Signal = {
    type,
    severity,
    reason: 'something is noticed',
    sinceAt: story.now,
    at: story.now,
    evidence: [],
    confidence: 0.9,
    suggestedAction: 'look',
  };
  story.tell({ type: 'signal_raised', attempt: 1, signal });
  return story;
}

describe.each(Object.keys(SIGNALS) as SignalType[])('a signal %s', (type) => {
  const { class: failureClass, neverStops } = SIGNALS[type];

  it('ends the attempt as its row says when it is critical', () => {
    const { last, state } = afterSignal(type, 'critical');
    const stop = last.decisions.find((decision) => decision.type === 'stop_decided');
    if (neverStops === true) expect(state.life.type).toBe('working');
    else expect(stop).toMatchObject({ cause: { class: failureClass, reason: 'something is noticed' } });
  });

  it('leaves the attempt alone when it is a warning', () => {
    const { last, state } = afterSignal(type, 'warning');
    expect(last.decisions).toEqual([]);
    expect(state.attempts[0]?.signals).toMatchObject([{ type }]);
  });
});

it('timeout_ms is the limit of one attempt, as its row says: the next one has all of it again', () => {
  const story = new Story({ policy: { timeout_ms: 60_000 } }).prepared().started();
  story.ended({ exitCode: 1 });
  story.tell({ type: 'timer_fired', name: 'retry' }, 60_000);
  story.started();
  expect(story.state.attempts).toHaveLength(2);
  expect(story.last.timers.set).toContainEqual({ name: 'timeout', dueAt: story.now + 60_000 });
  expect(POLICY_RULES.timeout_ms.why).toContain('of one attempt');
});
