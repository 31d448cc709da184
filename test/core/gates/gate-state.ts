/** `gateState`: a run whose attempt has ended and whose work stands before a gate. `gateFact`, `checkRecord`: what the gate is asked, and a recorded check. */
import type { RecordedCheck, RunState } from '../../../src/core/state/run-state.ts';
import type { ComposeFacts, RuleFinding } from '../../../src/core/vocabulary/events/compose-facts.ts';
import type { FactOf } from '../../../src/core/vocabulary/events/event.ts';
import { Story } from '../story.ts';

export const AT = 2_000_000;

export const COMPOSE: ComposeFacts = {
  target: { name: 'main', commit: 'c1', moved: false, conflicts: [], theirs: [] },
  overlaps: [],
  findings: [],
  targetRules: null,
  markers: [],
  leaving: [],
};

export function gateState(more: Partial<RunState> = {}): RunState {
  const story = new Story({});
  story.prepared({}).started();
  return { ...story.state, checks: [checkRecord({})], ...more };
}

export function gateFact(
  compose: Partial<ComposeFacts> = {},
  changed: readonly string[] = ['a.txt'],
): FactOf<'checks_finished'> {
  return {
    type: 'checks_finished',
    at: AT,
    purpose: 'gate',
    tree: 't1',
    results: [],
    changed,
    compose: { ...COMPOSE, ...compose },
  };
}

export function checkRecord(more: Partial<RecordedCheck>): RecordedCheck {
  return {
    command: 'test -f a.txt',
    exitCode: 0,
    passed: true,
    timedOut: false,
    durationMs: 5,
    outputHash: 'o',
    outputTail: '',
    tree: 't1',
    variant: 'candidate',
    ledgerId: 'l1',
    purpose: 'gate',
    at: AT,
    ...more,
  };
}

export function finding(kind: RuleFinding['kind'], more: Partial<RuleFinding> = {}): RuleFinding {
  return { kind, rule: 'r', says: 'no links', approval: null, evidence: ['src/a.ts:1: x'], ...more };
}
