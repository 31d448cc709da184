import { describe, expect, it } from 'vitest';
import { observedDiagnosis } from '../../../../src/core/decide/recovery/incident-diagnosis.ts';
import type { FailureClass } from '../../../../src/core/vocabulary/classes/failure-class.ts';
import { openQuestion } from '../../../../src/core/state/run-state.ts';
import { Story } from '../../story.ts';

const failing = (failureClass: FailureClass) => ({
  diagnosis: observedDiagnosis(failureClass, 'it broke', ['a line']),
});

/** Fails every attempt with the class until a person is asked; the names of the agents, in order. */
function agentsUntilAsked(story: Story, failureClass: FailureClass): string[] {
  story.prepared().started();
  for (let attempts = 0; attempts < 20 && openQuestion(story.state) === undefined; attempts += 1) {
    story.ended({}, failing(failureClass));
    if (story.state.life.type === 'waiting' && story.state.life.for === 'time') story.waited();
    if (openQuestion(story.state) === undefined) story.started();
  }
  return story.state.attempts.map(({ agent }) => agent.name);
}

describe('a fallback takes over before a person is asked, within the default restart budget', () => {
  it('one rung: after the retry, and has a retry of its own', () => {
    const story = new Story({ fallbacks: ['beta'], classes: { crashed: { rungs: ['retry'] } } });
    expect(agentsUntilAsked(story, 'crashed')).toEqual(['rehearsal', 'rehearsal', 'beta', 'beta']);
  });

  it('two rungs: when both are used up', () => {
    const story = new Story({ fallbacks: ['beta'] });
    expect(agentsUntilAsked(story, 'looping')).toEqual(['rehearsal', 'rehearsal', 'rehearsal', 'beta']);
  });

  it('three rungs: the last restart of the budget is kept for it', () => {
    const story = new Story({ fallbacks: ['beta'] });
    expect(agentsUntilAsked(story, 'crashed')).toEqual(['rehearsal', 'rehearsal', 'rehearsal', 'beta']);
  });

  it('several take over in their order, and each gets its turn before the budget is spent', () => {
    const story = new Story({ fallbacks: ['beta', 'gamma'] });
    expect(agentsUntilAsked(story, 'stalled')).toEqual(['rehearsal', 'rehearsal', 'beta', 'gamma']);
  });

  it('never more restarts than the budget, however many fallbacks there are', () => {
    const story = new Story({ fallbacks: ['b', 'c', 'd', 'e', 'f'] });
    expect(agentsUntilAsked(story, 'crashed')).toEqual(['rehearsal', 'rehearsal', 'b', 'c']);
    const none = new Story({ fallbacks: ['b'], policy: { restarts: 0 } });
    expect(agentsUntilAsked(none, 'crashed')).toEqual(['rehearsal']);
  });

  it('the question says who was tried and how often', () => {
    const story = new Story({ fallbacks: ['beta', 'gamma'] });
    agentsUntilAsked(story, 'stalled');
    expect(openQuestion(story.state)?.question.tried[0]).toBe(
      'agents: rehearsal (2 attempts), beta (1 attempt), gamma (1 attempt)',
    );
  });

  it('another class in the fallback’s life hides nobody who was tried', () => {
    const story = new Story({ fallbacks: ['beta'], policy: { restarts: 1 } }).prepared().started();
    story.ended({}, failing('crashed')).started().ended({}, failing('looping'));
    expect(openQuestion(story.state)?.question.tried[0]).toContain('rehearsal (1 attempt), beta (1 attempt)');
  });
});

describe('no fallback is started', () => {
  it.each(['auth_failure', 'budget_exhausted', 'model_refusal', 'permission_denied', 'environment'] as const)(
    'for %s: another agent does not mend it',
    (failureClass) => {
      const story = new Story({ fallbacks: ['beta'] });
      expect(agentsUntilAsked(story, failureClass)).toEqual(['rehearsal']);
    },
  );

  it('for what the machine or the world outside did to the agent', () => {
    for (const failureClass of ['git_error', 'interrupted'] as const) {
      const story = new Story({ fallbacks: ['beta'] });
      expect(agentsUntilAsked(story, failureClass)).not.toContain('beta');
    }
  });

  it('while the first agent gets on: a crash that a retry mends stays with it', () => {
    const story = new Story({ fallbacks: ['beta'] }).prepared().started();
    story.ended({}, failing('crashed')).waited().started();
    story.tell({ type: 'progress_observed', attempt: 2, kind: 'tree', detail: 'a file' });
    expect(story.state.attempts.map(({ agent }) => agent.name)).toEqual(['rehearsal', 'rehearsal']);
  });
});

it('a refusal reaches another allowed model only where the policy says so, and in the task’s own words', () => {
  const story = new Story({ fallbacks: ['beta'], policy: { refusal_fallback: 1 } });
  expect(agentsUntilAsked(story, 'model_refusal')).toEqual(['rehearsal', 'beta']);
  expect(story.state.incidents[0]?.recoveries[0]).toMatchObject({ strategy: 'reassign', hint: null });
});
