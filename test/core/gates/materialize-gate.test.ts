/** Before the sink is written: the approvals that a policy wants for the delivery, and no others. */
import { expect, it } from 'vitest';
import { materializeGate } from '../../../src/core/gates/compose-gate.ts';
import type { RuleFinding } from '../../../src/core/vocabulary/events/compose-facts.ts';
import { COMPOSE, finding } from './gate-state.ts';

const blockers = (...findings: RuleFinding[]) => materializeGate({ ...COMPOSE, findings });

it('an approval that a policy wants for the delivery blocks it, with the rule and the paths', () => {
  const wanted = finding('approval', { approval: 'delivery', evidence: ['db/a.sql'] });
  expect(blockers(wanted)).toMatchObject([
    { code: 'approval_required', source: 'policy', rule: 'r', says: 'no links', paths: ['db/a.sql'] },
  ]);
});

it.each<[string, RuleFinding]>([
  ['an approval at another gate', finding('approval', { approval: 'compose' })],
  ['another finding of the same rule', finding('forbidden', { approval: 'delivery' })],
])('%s does not', (_, other) => {
  expect(blockers(other)).toEqual([]);
});

it('a gate that was told nothing about the target blocks nothing', () => {
  expect(materializeGate(undefined)).toEqual([]);
});
