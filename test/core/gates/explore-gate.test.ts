/** What must be settled before work begins: a scope that exists, decisions, approvals. What a person has judged is not asked again. */
import { describe, expect, it } from 'vitest';
import { exploreGate, scopeSentence } from '../../../src/core/gates/explore-gate.ts';
import type { RunState } from '../../../src/core/state/run-state.ts';
import { blockerCase } from '../../../src/core/vocabulary/blockers/blocker-evidence.ts';
import { blockerKey } from '../../../src/core/vocabulary/blockers/blocker-key.ts';
import { NO_RULES, type RepositoryRules } from '../../../src/core/vocabulary/rules.ts';
import { gateState } from './gate-state.ts';

const { task, policy } = gateState();
const SCOPED = { ...task, scope: ['src/**'] };
const PROPOSAL = { scope: ['db/**'], checks: ['make'], summary: 'two files', decisions: [] };
const OPEN = {
  id: 'd',
  question: 'Which database?',
  answer: null,
  by: null,
  since: null,
  paths: ['src/**'],
  file: 'd.md',
};
const RULE: RepositoryRules['rules'][number] = {
  id: 'r',
  says: 'ask first',
  file: 'r.yaml',
  paths: ['src/**'],
  whenAdded: [],
  forbid: [],
  require: [],
  requireChanged: [],
  checks: [],
  approval: 'before',
  touchPoint: false,
};

const gate = (more: Partial<RunState>) => exploreGate(gateState(more));
const judged = (question: string, key?: object): Partial<RunState> =>
  ({ judgments: [{ question, answer: 'yes', by: 'ann', ...(key === undefined ? {} : { key }) }] }) as never;

it('an exploration that ended without a proposal has no scope', () => {
  expect(gate({ explore: 'looking' })).toMatchObject([{ code: 'scope_missing', source: 'explore' }]);
  expect(gate({ explore: 'looking', attempts: [] })).toEqual([]);
  expect(gate({})).toEqual([]);
});

it('a scope that names what the base does not have is stale', () => {
  expect(gate({ staleScope: ['gone'] })).toMatchObject([
    { code: 'scope_stale', source: 'base', gone: ['gone'] },
  ]);
});

it('a proposal is confirmed where the policy wants it', () => {
  const proposed = (confirm: number, proposal: object | null = PROPOSAL) =>
    gate({
      explore: 'proposed',
      proposal: proposal as RunState['proposal'],
      policy: { ...policy, explore_confirm: confirm },
    });
  expect(proposed(1)).toMatchObject([
    {
      code: 'approval_missing',
      source: 'proposal',
      scope: ['db/**'],
      checks: ['make'],
      summary: 'two files',
    },
  ]);
  expect(proposed(1, null)).toMatchObject([{ scope: [], checks: [], summary: '' }]);
  expect(proposed(0)).toEqual([]);
});

describe('an open decision', () => {
  it('of the task, the agent or the repository is asked for', () => {
    const proposal = { ...PROPOSAL, decisions: [{ question: 'Which port?', options: ['1', '2'] }] };
    const decisions = [
      { question: 'Which name?', answer: null },
      { question: 'Which colour?', answer: 'red' },
    ];
    const found = gate({
      task: { ...SCOPED, decisions },
      proposal: proposal as unknown as RunState['proposal'],
      rules: { ...NO_RULES, decisions: [OPEN] },
    });
    expect(found).toMatchObject([
      { code: 'decision_pending', source: 'task', question: 'Which name?' },
      { source: 'agent', question: 'Which port?', options: ['1', '2'] },
      { source: 'repository', question: 'Which database?', file: 'd.md' },
    ]);
    expect(found).toHaveLength(3);
  });

  it('of the repository counts only for its paths, and while it is open and not judged', () => {
    const of = (decision: object, more: Partial<RunState> = {}) =>
      gate({ task: SCOPED, rules: { ...NO_RULES, decisions: [{ ...OPEN, ...decision }] }, ...more });
    expect(of({})).toHaveLength(1);
    expect(of({ answer: 'SQLite' })).toEqual([]);
    expect(of({ paths: ['docs/**'] })).toEqual([]);
    expect(of({}, { task })).toEqual([]);
    expect(of({}, judged('which database'))).toEqual([]);
    expect(of({}, judged('which language'))).toHaveLength(1);
  });
});

describe('an approval before the work', () => {
  const of = (rule: Partial<typeof RULE>, more: Partial<RunState> = {}) =>
    gate({ task: SCOPED, rules: { ...NO_RULES, rules: [{ ...RULE, ...rule }] }, ...more });

  it('is needed where a rule says so for the paths of the task', () => {
    expect(of({})).toMatchObject([
      { code: 'approval_missing', source: 'policy', rule: 'r', says: 'ask first', paths: ['src/**'] },
    ]);
    expect(of({ approval: 'compose' })).toEqual([]);
    expect(of({ paths: ['docs/**'] })).toEqual([]);
  });

  it('looks at the proposed paths only while the run explores', () => {
    const proposal = PROPOSAL as unknown as RunState['proposal'];
    const confirmed = { ...policy, explore_confirm: 0 };
    const explored = { task, proposal, explore: 'proposed', policy: confirmed } as const;
    expect(of({ paths: ['db/**'] }, explored)).toHaveLength(1);
    expect(of({ paths: ['db/**'] }, { ...explored, explore: 'off' })).toEqual([]);
    expect(of({ paths: ['db/**'] }, { ...explored, proposal: null })).toEqual([]);
  });

  it('is given once: by the key of the blocker, or in older journals by its words', () => {
    const [found] = of({});
    if (found === undefined) return expect.unreachable('a blocker');
    const key = blockerKey(found);
    expect(of({}, judged('', key))).toEqual([]);
    expect(of({}, judged('', { ...key, source: 'other' }))).toEqual([found]);
    expect(of({}, judged(blockerCase(found)))).toEqual([]);
    expect(of({}, judged('another case'))).toEqual([found]);
  });
});

it('the record tells where the scope came from', () => {
  const told = (allowed: readonly string[], scope: readonly string[] = []) =>
    scopeSentence(
      gateState({ task: { ...task, scope }, scope: { ...gateState().scope, allowed, by: 'ann' } }),
    );
  expect(told(['**'])).toBe('scope: the whole workspace, by default policy');
  expect(told(['**'], ['**'])).toBe('scope: ** (ann)');
  expect(told(['src/**', '**'])).toBe('scope: src/**, ** (ann)');
  expect(told(['src/**'])).toBe('scope: src/** (ann)');
});
