/** The limits of recovery at their exact edges: one below, on it, one above. */
import { describe, expect, it } from 'vitest';
import { backoffMs, failuresInARow } from '../../../../src/core/decide/recovery/backoff.ts';
import {
  futility,
  halfLimit,
  restartBudget,
  restartsLeft,
  retriesWithoutImprovement,
  wasUseful,
} from '../../../../src/core/decide/recovery/breakers.ts';
import { keepsItsAgent } from '../../../../src/core/decide/recovery/choose-way.ts';
import { spentBudget } from '../../../../src/core/decide/recovery/hard-budget.ts';
import type { Attempt, RunState } from '../../../../src/core/state/run-state.ts';
import { DEFAULT_POLICY } from '../../../../src/core/vocabulary/policy.ts';
import { EXAMINATION, Story } from '../../story.ts';

const AT = 10_000_000;
const base = new Story().prepared().started().state;
const [first] = base.attempts as [Attempt];

/** A run with these attempts, numbered in their order, each planned and started one minute after the one before. */
function withAttempts(attempts: readonly Partial<Attempt>[], more: Partial<RunState> = {}): RunState {
  return {
    ...base,
    ...more,
    attempts: attempts.map((attempt, index) => ({
      ...first,
      number: index + 1,
      plannedAt: AT + index * 60_000,
      startedAt: AT + index * 60_000,
      endedAt: AT + index * 60_000 + 1_000,
      ...attempt,
    })),
  };
}

function leaving(tree: string): Partial<Attempt> {
  const checkpoint = { number: 1, state: 'complete', tree, commit: 'k', missing: [], reason: '' } as const;
  return { examination: { ...EXAMINATION, checkpoint } };
}

describe('the pause before a restart', () => {
  const policy = { ...DEFAULT_POLICY, backoff_ms: 1_000, backoff_max_ms: 60_000 };
  const pauses = (failures: number) =>
    Array.from({ length: 50 }, (_, run) => backoffMs(policy, failures, `run-${run}`));

  it.each([
    [0, 1_000],
    [1, 2_000],
    [5, 32_000],
    [6, 60_000],
    [1_000, 60_000],
  ])('after %i failures is at most %i ms, and at most a fifth shorter', (failures, most) => {
    for (const pause of pauses(failures)) {
      expect(pause).toBeLessThanOrEqual(most);
      expect(pause).toBeGreaterThanOrEqual(most * 0.8);
      expect(Number.isInteger(pause)).toBe(true);
    }
  });

  it('differs from run to run and from failure to failure, and is the same when asked again', () => {
    expect(new Set(pauses(6)).size).toBeGreaterThan(40);
    expect(backoffMs(policy, 7, 'r1')).not.toBe(backoffMs(policy, 8, 'r1'));
    expect(backoffMs(policy, 7, 'r1')).toBe(backoffMs(policy, 7, 'r1'));
  });
});

describe('failures in a row', () => {
  const reset = base.policy.backoff_reset_ms;
  const counted = { counted: true };

  it.each<[string, readonly Partial<Attempt>[], number]>([
    ['only counted restarts', [{}, counted, { counted: false }, counted], 2],
    [
      'none after an attempt that lived long enough',
      [{}, counted, { ...counted, endedAt: AT + 60_000 * 2 + reset }],
      0,
    ],
    [
      'those after one that lived a moment less',
      [{}, counted, { ...counted, endedAt: AT + 60_000 * 2 + reset - 1 }],
      2,
    ],
    ['those after the last healthy one', [{ endedAt: AT + reset }, counted], 1],
    ['an attempt that never started is not healthy', [{}, { ...counted, startedAt: null, endedAt: null }], 1],
  ])('%s', (_, attempts, count) => {
    expect(failuresInARow(withAttempts(attempts), AT + 60_000)).toBe(count);
  });

  it('a living attempt is judged by now', () => {
    const living = withAttempts([{}, { ...counted, endedAt: null }]);
    expect(failuresInARow(living, AT + 60_000 + reset - 1)).toBe(1);
    expect(failuresInARow(living, AT + 60_000 + reset)).toBe(0);
  });
});

describe('the restart budget', () => {
  const policy = { ...DEFAULT_POLICY, restarts: 3, restart_window_ms: 600_000, restarts_total: 5 };
  const counted = (times: number, more: Partial<Attempt> = {}) => [
    {},
    ...Array.from({ length: times }, () => ({ counted: true, startedAt: AT, ...more })),
  ];

  it.each([
    ['is free below the burst', 2, AT, null],
    ['is spent by the burst', 3, AT, '3 restarts in 10 min are as many as the policy allows'],
    [
      'holds until the window is over',
      3,
      AT + 599_999,
      '3 restarts in 10 min are as many as the policy allows',
    ],
    ['is free when the window is over', 3, AT + 600_000, null],
    ['is free below the sum of a long night', 4, AT + 600_000, null],
    [
      'is spent by the sum, window or not',
      5,
      AT + 600_000,
      '5 restarts in all are as many as the policy allows',
    ],
  ])('%s', (_, times, at, said) => {
    expect(restartBudget(withAttempts(counted(times), { policy }), at)).toBe(said);
  });

  it.each([
    [0, AT, 3],
    [2, AT, 1],
    [4, AT, 0],
    [4, AT + 600_000, 1],
    [9, AT + 600_000, 0],
  ])('with %i spent, at %i, leaves %i', (times, at, left) => {
    expect(restartsLeft(withAttempts(counted(times), { policy }), at)).toBe(left);
  });

  it('counts what was planned after a person last answered, not at that moment', () => {
    const spent = counted(3, { plannedAt: AT });
    expect(restartsLeft(withAttempts(spent, { policy, forgivenAt: AT - 1 }), AT)).toBe(0);
    expect(restartsLeft(withAttempts(spent, { policy, forgivenAt: AT }), AT)).toBe(3);
  });

  it('counts from the start; without one from the end; without both from the plan', () => {
    const at = AT + 600_000;
    const left = (more: Partial<Attempt>) =>
      restartsLeft(withAttempts(counted(1, { plannedAt: AT, ...more }), { policy }), at);
    expect(left({ startedAt: AT + 1, endedAt: AT })).toBe(2);
    expect(left({ startedAt: null, endedAt: AT + 1 })).toBe(2);
    expect(left({ startedAt: null, endedAt: null, plannedAt: AT + 1 })).toBe(2);
    expect(left({ startedAt: null, endedAt: null })).toBe(3);
  });
});

describe('a restart for each fallback', () => {
  const fallbacks = ['beta', 'gamma'].map((name) => ({ name, command: [], model: null }));
  const state = (spent: number, names: readonly string[] = []): RunState => ({
    ...withAttempts([
      {},
      ...names.map((name) => ({ agent: { name, command: [], model: null } })),
      ...Array.from({ length: spent }, () => ({ counted: true, startedAt: AT })),
    ]),
    policy: { ...DEFAULT_POLICY, restarts: 4, restarts_total: 9 },
    options: { ...base.options, fallbacks },
  });

  it.each([
    ['more are left than fallbacks wait', 1, [], 1, true],
    ['as many are left as fallbacks wait', 2, [], 1, false],
    ['the first retry belongs to the agent while one is left for a fallback', 2, [], 0, true],
    ['the last one belongs to a fallback', 3, [], 0, false],
    ['a fallback that has worked needs none', 2, ['beta'], 1, true],
  ])('%s', (_, spent, names, tried, keeps) => {
    expect(keepsItsAgent(state(spent, names), tried, AT)).toBe(keeps);
  });
});

describe('an attempt was useful', () => {
  it.each<[string, readonly Partial<Attempt>[], boolean]>([
    ['if progress was seen', [{ progressAt: AT }], true],
    ['not if nothing was saved', [{}], false],
    ['not if it left the base', [leaving('t0')], false],
    ['if it left something else', [leaving('t1')], true],
    ['not if it left what the one before left', [leaving('t1'), leaving('t1')], false],
    ['not if it left that again after one that saved nothing', [leaving('t1'), {}, leaving('t1')], false],
    ['if it left something else again', [leaving('t1'), leaving('t2')], true],
    ['also by going back to the base', [leaving('t1'), leaving('t0')], true],
  ])('%s', (_, attempts, useful) => {
    expect(wasUseful(withAttempts(attempts), attempts.length - 1)).toBe(useful);
  });

  it('retries are counted since the last useful one', () => {
    const count = (attempts: readonly Partial<Attempt>[]) =>
      retriesWithoutImprovement(withAttempts(attempts));
    expect([count([{}]), count([{}, {}, {}])]).toEqual([0, 2]);
    expect([count([{}, leaving('t1')]), count([{}, leaving('t1'), {}])]).toEqual([0, 1]);
  });
});

describe('rescues in vain', () => {
  const policy = { ...DEFAULT_POLICY, futile_rescues: 2 };
  const rescue = { counted: true };
  const other = { agent: { name: 'beta', command: [], model: null } };
  const vain = (attempts: readonly Partial<Attempt>[], more: Partial<RunState> = {}) =>
    futility(withAttempts(attempts, { policy, ...more }));

  it.each<[string, readonly Partial<Attempt>[], boolean]>([
    ['one is not enough', [{}, rescue], false],
    ['two are', [{}, rescue, rescue], true],
    ['going on after an outage is none, and ends no row', [{}, rescue, { counted: false }, rescue], true],
    ['a useful one ends the row', [{}, rescue, { ...rescue, progressAt: AT }, rescue], false],
    ['those of another agent do not count', [{}, rescue, rescue, { ...rescue, ...other }], false],
  ])('%s', (_, attempts, isVain) => {
    expect(vain(attempts) !== null).toBe(isVain);
  });

  it('are forgiven by a person’s answer', () => {
    expect(vain([{}, rescue, rescue], { forgivenAt: AT + 60_000 })).toBeNull();
    expect(vain([{}, rescue, rescue], { forgivenAt: AT + 59_999 })).toBe(
      '2 rescues in a row left nothing new behind',
    );
  });
});

describe('half of the time limit', () => {
  const policy = { ...DEFAULT_POLICY, timeout_ms: 100_000 };
  const lived = (ms: number, more: Partial<Attempt> = {}) => ({
    startedAt: AT,
    endedAt: AT + ms,
    plannedAt: AT,
    ...more,
  });
  const burnt = (attempts: readonly Partial<Attempt>[], more: Partial<RunState> = {}) =>
    halfLimit(withAttempts(attempts, { policy, ...more })) !== null;

  it.each<[string, readonly Partial<Attempt>[], boolean]>([
    ['burnt once', [lived(50_000)], false],
    ['burnt twice to the millisecond', [lived(50_000), lived(50_000)], true],
    ['missed by a millisecond', [lived(50_000), lived(49_999)], false],
    ['burnt twice around a short one', [lived(50_000), lived(1), lived(50_000)], true],
    ['burnt before something useful', [lived(50_000), lived(1, { progressAt: AT }), lived(50_000)], false],
    [
      'an attempt that never started burnt nothing',
      [lived(50_000), { ...lived(50_000), startedAt: null }],
      false,
    ],
    ['nor did one that still lives', [lived(50_000), { ...lived(0), endedAt: null }], false],
  ])('%s', (_, attempts, isBurnt) => {
    expect(burnt(attempts)).toBe(isBurnt);
  });

  it('before a person’s answer is forgiven; the attempt that the answer started counts', () => {
    const both = [lived(50_000), lived(50_000)];
    expect(burnt(both, { forgivenAt: AT })).toBe(true);
    expect(burnt(both, { forgivenAt: AT + 1 })).toBe(false);
  });
});

describe('the hard budget', () => {
  const none = { tokens: null, usd: null, turns: null, wallClockMs: null };
  const usage = {
    inputTokens: 600,
    outputTokens: 300,
    cacheReadTokens: 60,
    cacheWriteTokens: 40,
    costUsd: 2.5,
    turns: 7,
  };
  const spent = (budget: Partial<RunState['budget']>) =>
    spentBudget(withAttempts([{ usage }], { budget: { ...none, ...budget } }), AT + 1_000);

  it.each<[Partial<RunState['budget']>, string | null]>([
    [{}, null],
    [{ tokens: 1_000 }, null],
    [{ tokens: 999 }, '1000 of 999 tokens used'],
    [{ usd: 2.5 }, null],
    [{ usd: 2.4 }, '$2.50 of $2.4 used'],
    [{ turns: 7 }, null],
    [{ turns: 6 }, '7 of 6 turns used'],
    [{ wallClockMs: 1_001 }, null],
    [{ wallClockMs: 1_000 }, '1 s of 1 s of working time used'],
    [{ tokens: 1, turns: 1 }, '1000 of 1 tokens, 7 of 1 turns used'],
  ])('%o: %s', (budget, said) => {
    expect(spent(budget)).toBe(said);
  });
});
