import { expect, it } from 'vitest';
import type { BusMessage } from '../../../src/core/bus/bus-message.ts';
import { busMessages } from '../../../src/core/bus/run-messages.ts';
import type { Fact } from '../../../src/core/vocabulary/events/event.ts';
import { evolve } from '../../../src/core/state/evolve.ts';
import type { RunState } from '../../../src/core/state/run-state.ts';
import { Story } from '../story.ts';

/** A story of which everything is kept that it says on the bus. */
class Overheard extends Story {
  readonly said: BusMessage[] = [];

  override tell(fact: Parameters<Story['tell']>[0], afterMs?: number) {
    const before: RunState = this.state;
    const next = super.tell(fact, afterMs);
    if (next === null) return null;
    const told = { ...fact, at: this.now } as Fact;
    let state = evolve(before, told);
    this.said?.push(...busMessages(told, state));
    for (const decision of next.decisions) {
      state = evolve(state, decision);
      this.said?.push(...busMessages(decision, state));
    }
    return next;
  }

  short(): string[] {
    return this.said.map((message) =>
      message.type === 'TASK_UPDATE' ? `${message.type} ${message.status}` : message.type,
    );
  }
}

const SILENT = {
  type: 'stalled',
  severity: 'critical',
  reason: 'silent for 90 s',
  sinceAt: 0,
  at: 0,
  evidence: [],
  confidence: 1,
  suggestedAction: 'stop and resume',
} as const;

const working = (policy = {}) => new Overheard({ policy }).prepared().started() as Overheard;

it('a run that is delivered says RUNNING when its agent starts and COMPLETED with its score at the end', () => {
  const run = working();
  run.ended(
    { exitCode: 0 },
    { claimsDone: true, partialWork: { ...run.state.partialWork, created: ['a.txt'] } },
  );
  const tree = run.state.life.type === 'checking' ? run.state.life.tree : '';
  run.checked('gate', tree, true, ['a.txt']);
  run.tell({ type: 'work_delivered', ref: 'mayday/r1', files: ['a.txt'], salvage: false });
  expect(run.short()).toEqual(['TASK_UPDATE RUNNING', 'TASK_UPDATE COMPLETED']);
  expect(run.said.at(-1)).toMatchObject({
    task_id: 'r1',
    agent_id: 'rehearsal@r1',
    error: null,
    result_status: 'SUCCESS',
    started_at: expect.stringMatching(/Z$/),
    completed_at: expect.stringMatching(/Z$/),
    scoring: { checks_passed: 1, checks_total: 1, attempts: 1, tokens: 0, cost_usd: 0 },
  });
});

it('an attempt that fails and is tried again is no FAILED: one definite word comes at the end', () => {
  const run = working({ restarts: 3 });
  run.ended({ exitCode: 1 });
  expect(run.short()).not.toContain('TASK_UPDATE FAILED');
  run.tell({ type: 'abandon_requested', by: 'ann', reason: 'enough' });
  expect(run.said.at(-1)).toMatchObject({
    type: 'TASK_UPDATE',
    status: 'FAILED',
    error: 'stopped for good by ann: enough',
    result_status: 'VALIDATION_ERROR',
  });
});

it('a silent agent is a critical event, told to stop with a deadline, and flagged once it is gone', () => {
  const run = working({ stop_soft_ms: 400, stop_term_ms: 100 });
  run.tell({ type: 'signal_raised', attempt: 1, signal: SILENT });
  expect(run.short().slice(1)).toEqual(['CRITICAL', 'STOP_AGENT']);
  expect(run.said.at(-1)).toMatchObject({ agent_id: 'rehearsal@r1', task_id: 'r1', deadline_ms: 500 });
  run.ended({ exitCode: null, signal: 'SIGTERM', endedBy: 'mayday' });
  expect(run.said.find(({ type }) => type === 'AGENT_FLAGGED')).toEqual({
    type: 'AGENT_FLAGGED',
    agent_id: 'rehearsal@r1',
    reason: 'stalled in attempt 1: silent for 90 s',
  });
});

it('a run past its time limit says CRITICAL before STOP_AGENT though no detector spoke', () => {
  const run = working();
  run.tell({ type: 'timer_fired', name: 'timeout' });
  expect(run.short().slice(1)).toEqual(['CRITICAL', 'STOP_AGENT']);
});

it('an agent that a person stops is neither critical nor flagged', () => {
  const run = working();
  run.tell({ type: 'stop_requested', by: 'ann', reason: 'lunch' });
  run.ended({ exitCode: 143, endedBy: 'person' });
  expect(run.short()).toEqual(['TASK_UPDATE RUNNING', 'STOP_AGENT', 'TASK_UPDATE PENDING']);
});
