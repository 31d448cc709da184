/** What each option of a question does to the run, with its new values. */
import { describe, expect, it } from 'vitest';
import { consequenceOf, proposalTaken } from '../../../../src/core/decide/question/consequence-of.ts';
import type { RunState } from '../../../../src/core/state/run-state.ts';
import { blocker } from '../../../../src/core/vocabulary/blockers/blocker.ts';
import type { Blocker } from '../../../../src/core/vocabulary/blockers/blocker-rule.ts';
import { blockerKey } from '../../../../src/core/vocabulary/blockers/blocker-key.ts';
import type { OptionId } from '../../../../src/core/vocabulary/questions/resolution.ts';
import { checkRecord } from '../../gates/gate-state.ts';
import { EXAMINATION, Story } from '../../story.ts';

const state = new Story({ task: { scope: ['src/**'] } }).prepared().started().ended().state;
const outside = blocker('scope_exceeded', {
  source: 'change',
  paths: ['db/a b.ts'],
  allowed: ['src/**'],
} as never);
const unrun = (command: string) =>
  blocker('check_not_recorded', { source: 'policy', command, rule: 'r' } as never);
const said = (code: Blocker['code']): Blocker => ({
  code,
  stage: 'build',
  returnsTo: 'build',
  source: 'said',
  said: ['x'],
  resolutions: [],
});

function blockedBy(...blockers: Blocker[]): RunState {
  return { ...state, delivery: { ...state.delivery, blockers } };
}

function examined(more: object): RunState {
  return {
    ...state,
    attempts: state.attempts.map((attempt) => ({
      ...attempt,
      examination: { ...EXAMINATION, ...more },
    })),
  };
}

const of = (from: RunState, option: OptionId, about: readonly Blocker[] = [], kind = 'k') =>
  consequenceOf(from, { kind, about }, option);

describe('an option', () => {
  it.each<[OptionId, object]>([
    ['abandon', { type: 'abandon' }],
    ['split_work', { type: 'split_work' }],
    ['rebase', { type: 'rebase' }],
    ['rescue', { type: 'rescue' }],
    ['skip_setup', { type: 'skip_setup' }],
    ['reply', { type: 'tell_agent', told: 'answer' }],
    ['answer_question', { type: 'tell_agent', told: 'answer' }],
    ['add_verification', { type: 'tell_agent', told: 'option' }],
    ['revise_work', { type: 'tell_agent', told: 'option' }],
    ['option_2', { type: 'tell_agent', told: 'option' }],
    ['waive_with_reason', { type: 'accept' }],
    ['choose_patch_output', { type: 'change_sink', sink: { type: 'patch', file: '', againstBase: true } }],
    ['fix_sink', { type: 'fix_sink', branch: null }],
    ['retry', { type: 'try_again', from: 'agent', checks: [] }],
    ['allow', { type: 'allow_tools', tools: [] }],
    ['pass_env', { type: 'pass_variables', names: [] }],
  ])('%s', (option, consequence) => {
    expect(of(state, option)).toEqual(consequence);
  });

  it('allow names the denied tools, and never all of them at once', () => {
    expect(of(examined({ deniedTools: ['Bash(npm test)', 'all', 'Write'] }), 'allow')).toEqual({
      type: 'allow_tools',
      tools: ['Bash(npm test)', 'Write'],
    });
  });

  it('pass_env names what was withheld', () => {
    expect(of(examined({ withheld: ['A_KEY'] }), 'pass_env')).toEqual({
      type: 'pass_variables',
      names: ['A_KEY'],
    });
  });

  it('fix_sink takes the run’s own branch where the branch was taken, and only for a branch', () => {
    const drifted = blockedBy(said('sink_drifted'));
    expect(of(drifted, 'fix_sink')).toEqual({ type: 'fix_sink', branch: 'mayday/r1' });
    const patch = { ...drifted, sink: { type: 'patch', file: 'a', againstBase: true } as const };
    expect(of(patch, 'fix_sink')).toEqual({ type: 'fix_sink', branch: null });
  });
});

describe('a budget', () => {
  const budget = { tokens: 100, usd: 2, turns: null, wallClockMs: 1_000 };
  const limited = { ...state, budget: { ...budget, tokens: 150 }, task: { ...state.task, budget } };

  it('is raised by what it was at first; what had no limit gets none', () => {
    expect(of(limited, 'raise_budget')).toEqual({
      type: 'raise_budget',
      budget: { tokens: 250, usd: 4, turns: null, wallClockMs: 2_000 },
    });
  });

  it('is raised by a quarter for a narrower task, and only where the budget was the trouble', () => {
    const exhausted = { ...limited, incidents: [{ class: 'budget_exhausted' } as never] };
    expect(of(exhausted, 'revise_work')).toEqual({
      type: 'raise_budget',
      budget: { tokens: 175, usd: 2.5, turns: null, wallClockMs: 1_250 },
    });
    const later = { ...limited, incidents: [...exhausted.incidents, { class: 'crashed' } as never] };
    expect(of(later, 'revise_work')).toEqual({ type: 'tell_agent', told: 'option' });
  });
});

describe('a wider scope', () => {
  it('names exactly the paths that are outside, as they are spelled', () => {
    expect(of(blockedBy(outside), 'expand_scope')).toMatchObject({
      type: 'widen_scope',
      globs: ['db/a b.ts'],
    });
    expect(of(blockedBy(outside), 'expand_scope')).not.toHaveProperty('for');
  });

  it('that the agent asked for lets the agent go on', () => {
    const asked = examined({ raised: { scope: ['db/**'] } });
    expect(of({ ...asked, delivery: state.delivery }, 'expand_scope')).toEqual({
      type: 'widen_scope',
      globs: ['db/**'],
      for: 'agent',
    });
    expect(of({ ...asked, delivery: blockedBy(outside).delivery }, 'expand_scope')).not.toHaveProperty('for');
  });

  it('is not read out of the words of a blocker that was only said', () => {
    expect(of(blockedBy(said('scope_exceeded')), 'expand_scope')).toEqual({ type: 'widen_scope', globs: [] });
  });

  it('keeps what is left of a stale one, and has to be named where nothing is left', () => {
    const stale = { ...blockedBy(said('scope_stale')), staleScope: ['gone/**'] };
    const scope = (allowed: readonly string[]) => ({ ...stale, scope: { allowed, by: 'ann' } });
    expect(of(scope(['gone/**', 'src/**']), 'expand_scope')).toEqual({
      type: 'set_scope',
      allowed: ['src/**'],
    });
    expect(of(scope(['gone/**']), 'expand_scope')).toEqual({ type: 'name_scope' });
  });

  it('is everything where none was given', () => {
    expect(of(blockedBy(said('scope_missing')), 'expand_scope')).toEqual({
      type: 'set_scope',
      allowed: ['**'],
    });
  });
});

describe('try again', () => {
  const cannotRun = { program: 'x', isThere: false, folder: null, inCheckout: false, setup: null };

  it('on a full disk starts all the same', () => {
    expect(of(state, 'retry', [], 'disk_low')).toEqual({ type: 'start_anyway' });
  });

  it('runs a check that a policy requires, and keeps it as a check of the run', () => {
    const about = [unrun('npm test'), unrun('test -f a.txt')];
    expect(of(blockedBy(...about), 'retry', about)).toEqual({
      type: 'try_again',
      from: 'gate',
      checks: ['npm test'],
    });
  });

  it('goes to the gate only where that check is what blocks first', () => {
    const about = [unrun('npm test')];
    expect(of(blockedBy(outside, ...about), 'retry', about)).toMatchObject({ from: 'agent' });
  });

  it('does not take a command from the words of a blocker that was only said', () => {
    expect(of(state, 'retry', [said('check_not_recorded')])).toMatchObject({ checks: [] });
  });

  it('saves again what could not be saved', () => {
    expect(of(state, 'retry', [said('work_not_saved')])).toMatchObject({ from: 'examination' });
  });

  it('prepares again before the first attempt, where a check could not even start', () => {
    const checks = [checkRecord({ purpose: 'baseline', passed: false, cannotRun } as never)];
    expect(of({ ...state, attempts: [], checks }, 'retry')).toMatchObject({ from: 'preparation' });
    expect(of({ ...state, checks }, 'retry')).toMatchObject({ from: 'agent' });
    expect(of({ ...state, attempts: [], checks: [] }, 'retry')).toMatchObject({ from: 'agent' });
  });
});

describe('an approval', () => {
  const pending = (source: 'agent' | 'proposal') =>
    blocker('decision_pending', { source, question: 'which store?', options: [] } as never);

  it('lifts exactly the blockers of its question', () => {
    expect(of(blockedBy(outside), 'waive_with_reason', [outside])).toEqual({
      type: 'approve',
      keys: [blockerKey(outside)],
      judges: [],
      confirms: null,
    });
    expect(of(blockedBy(outside), 'record_judgment', [])).toMatchObject({ type: 'approve', keys: [] });
  });

  it('answers a pending decision for the whole run; the same word without one goes to the agent', () => {
    const about = [pending('agent')];
    expect(of(blockedBy(...about), 'answer_question', about)).toMatchObject({ type: 'approve' });
    expect(of(blockedBy(...about), 'answer_question', [])).toEqual({ type: 'tell_agent', told: 'answer' });
    expect(of(blockedBy(outside), 'answer_question', [outside])).toEqual({
      type: 'tell_agent',
      told: 'answer',
    });
  });

  it('of a proposal confirms its scope and adds its checks, once each', () => {
    const proposal = { scope: ['db/**'], checks: ['npm test', 'test -f a.txt'], decisions: [], summary: '' };
    const proposed = { ...state, explore: 'proposed', proposal } as RunState;
    const confirmed = { scope: ['db/**'], checks: ['test -f a.txt', 'npm test'] };
    expect(proposalTaken(proposed)).toEqual(confirmed);
    expect(proposalTaken({ ...proposed, proposal: { ...proposal, scope: [] } }).scope).toEqual(['src/**']);
    expect(proposalTaken({ ...proposed, proposal: null })).toEqual({
      scope: ['src/**'],
      checks: ['test -f a.txt'],
    });
    const about = [{ ...outside, source: 'proposal' } as Blocker];
    expect(of(proposed, 'record_judgment', about)).toMatchObject({ confirms: confirmed });
    expect(of({ ...proposed, explore: 'confirmed' }, 'record_judgment', about)).toMatchObject({
      confirms: null,
    });
    expect(of(proposed, 'record_judgment', [outside])).toMatchObject({ confirms: null });
  });
});
