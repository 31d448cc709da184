import { describe, expect, it } from 'vitest';
import { ending, tell } from '../../../src/cli/render/story.ts';
import type { RunEvent } from '../../../src/core/vocabulary/events/event.ts';
import {
  isLifted,
  notProven,
  unprovenBecause,
  unprovenText,
} from '../../../src/core/gates/delivery-proof.ts';
import { openQuestion } from '../../../src/core/state/run-state.ts';
import { runJson } from '../../../src/core/view/run-json.ts';
import { runMetrics } from '../../../src/core/view/run-metrics.ts';
import { taskMetrics } from '../../../src/report/metrics/task-metrics.ts';
import { CHECKPOINT, Story } from '../story.ts';

function waived(): { story: Story; passed: Extract<RunEvent, { type: 'gate_passed' }> } {
  const story = new Story({ policy: { restarts: 0 } }).prepared().started();
  story.ended({ exitCode: 0 }, { claimsDone: true, claim: 'done', checkpoint: CHECKPOINT });
  story.checked('gate', 't1', false, ['a.txt']);
  const question = openQuestion(story.state)?.question.id ?? '';
  const note = 'it comes next week';
  story.tell({ type: 'question_answered', question, option: 'waive_with_reason', note, by: 'ann' });
  story.checked('gate', 't1', false, ['a.txt']);
  const passed = story.last.decisions.find(({ type }) => type === 'gate_passed');
  if (passed?.type !== 'gate_passed') throw new Error('the gate did not pass');
  story.tell({ type: 'work_delivered', ref: 'mayday/r1', files: ['a.txt'], salvage: false });
  return { story, passed };
}

describe('a failing check that a person waives', () => {
  it('is recorded as waived, by whom and why, and not as passed', () => {
    const { passed, story } = waived();
    expect(passed).toMatchObject({
      reason:
        'not proven · a required check fails (waived by ann: it comes next week) · every change is inside the scope',
      waived: true,
    });
    expect(tell(passed, story.state).join()).not.toContain('✓');
    expect(story.state.life).toMatchObject({
      state: 'delivered',
      reason: 'not proven; a required check fails (waived by ann: it comes next week)',
    });
  });

  it('is called green nowhere', () => {
    const { state } = waived().story;
    expect(runJson(state)).toMatchObject({
      state: 'delivered',
      word: 'not_proven',
      proven: false,
      not_proven: [
        'a required check fails (waived by ann: it comes next week)',
        'the check `test -f a.txt` failed with exit 1 on the delivered work',
      ],
    });
    expect(runJson(state).why).toContain('not proven: a required check fails');
    expect(ending(state).join('\n')).toMatch(
      /delivered, not proven {2}branch [^]*not proven: a required check fails \(waived by ann/,
    );
    expect(state.incidents).toMatchObject([{ outcome: 'abandoned' }]);
    const { recovered, first_try, by_word } = taskMetrics([runMetrics(state)]);
    expect([recovered.n, first_try.n, by_word]).toEqual([0, 0, 1]);
  });
});

it('checks that pass are told as passed, and nothing is waived', () => {
  const story = new Story().prepared().started();
  story.ended({ exitCode: 0 }, { claimsDone: true, claim: 'done', checkpoint: CHECKPOINT });
  story.checked('gate', 't1', true, ['a.txt']);
  expect(story.last.decisions).toContainEqual(
    expect.objectContaining({
      type: 'gate_passed',
      reason: 'the check passed · every change is inside the scope',
    }),
  );
  expect(runJson(story.state)).toMatchObject({ proven: false, not_proven: ['nothing is delivered yet'] });
  expect(unprovenBecause(story.state)).toEqual([]);
  story.tell({ type: 'work_delivered', ref: 'mayday/r1', files: ['a.txt'], salvage: false });
  expect(runJson(story.state)).toMatchObject({ word: 'delivered', proven: true, not_proven: [] });
});

describe('an approval replaces a proof', () => {
  const approval = {
    id: 'a1',
    question: 'q1',
    option: 'waive_with_reason',
    by: 'ann',
    note: '',
    at: 1,
    tree: 't1',
    attempt: 1,
    keys: ['check_failed|x'],
    used: true,
  };
  const { state } = waived().story;
  const passed = { tree: 't1', unverified: false, decidedAt: 1 };
  const words = (more: object, delivery: object = { passed, accepted: null }) =>
    unprovenBecause({
      ...state,
      approvals: [{ ...approval, ...more }],
      delivery: { ...state.delivery, ...delivery },
    })
      .filter(({ type }) => type === 'waived' || type === 'accepted')
      .map(unprovenText);

  it('only where it was used, for the delivered tree, and waives a gate or a proof', () => {
    expect(words({})).toEqual(['a required check fails (waived by ann)']);
    expect(words({ note: 'soon', option: 'approve' })).toEqual([
      'a required check fails (approved by ann: soon)',
    ]);
    expect(words({ keys: ['check_failed|x', 'scope_exceeded|y'] })).toEqual([
      'a required check fails, the change leaves the scope (waived by ann)',
    ]);
    expect(words({ keys: ['policy_violated|y'] })).toHaveLength(1);
    expect(words({ keys: ['policy_violated|y'], option: 'record_judgment' })).toEqual([]);
    expect(words({ used: false })).toEqual([]);
    expect(words({ tree: 't2' })).toEqual([]);
    expect(words({}, { passed: null, accepted: null })).toEqual([]);
  });

  it('and so does a person who accepts the work', () => {
    expect(words({ used: false }, { passed, accepted: { by: 'bob', note: '' } })).toEqual([
      'accepted by bob',
    ]);
    expect(words({ used: false }, { passed, accepted: { by: 'bob', note: 'fine' } })).toEqual([
      'accepted by bob: fine',
    ]);
  });

  it('a check proves only where it passed, in its last round, on the delivered tree', () => {
    const [gate] = state.checks.filter(({ purpose }) => purpose === 'gate');
    const reasons = (checks: readonly object[], commands = ['test -f a.txt']) =>
      notProven({
        ...state,
        approvals: [],
        task: { ...state.task, checks: commands },
        checks: checks.map((more) => ({ ...gate, ...more })) as typeof state.checks,
      });
    const ok = { passed: true, exitCode: 0 };
    expect(reasons([{ at: 1 }, { ...ok, at: 2 }])).toEqual([]);
    expect(reasons([{ ...ok, at: 2 }, { at: 2 }])).toEqual([
      'the check `test -f a.txt` failed with exit 1 on the delivered work',
    ]);
    expect(reasons([{ ...ok, tree: 't0' }])).toEqual([
      'the check `test -f a.txt` did not run on the delivered work',
    ]);
    expect(reasons([{ ...ok, purpose: 'baseline', tree: 't1' }])).toHaveLength(1);
    expect(reasons([{ ...ok, purpose: 'baseline', command: 'npm test' }, ok])).toEqual([
      'the check `npm test` was left out',
    ]);
    expect(reasons([], [])).toEqual(['there was nothing to check with']);
  });

  it('lifts its own blocker for its own tree, if it is a waiver', () => {
    const lifted = (code: 'check_failed' | 'scope_exceeded', ...all: object[]) =>
      isLifted({ ...state, approvals: all.map((more) => ({ ...approval, ...more })) }, code);
    expect(lifted('check_failed', {})).toBe(true);
    expect(lifted('scope_exceeded', {})).toBe(false);
    expect(lifted('check_failed', { tree: 't2' })).toBe(false);
    expect(lifted('check_failed', { option: 'record_judgment' })).toBe(false);
    expect(lifted('check_failed', { tree: 't2' }, { keys: ['empty_change|', 'check_failed|x'] })).toBe(true);
  });
});
