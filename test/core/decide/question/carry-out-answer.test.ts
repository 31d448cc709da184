/** What a run does after each answer: which values change, and how it goes on. */
import { describe, expect, it } from 'vitest';
import { questionAnswered } from '../../../../src/core/decide/question/carry-out-answer.ts';
import { Turn } from '../../../../src/core/decide/turn.ts';
import type { Attempt, RunState } from '../../../../src/core/state/run-state.ts';
import type { Blocker } from '../../../../src/core/vocabulary/blockers/blocker-rule.ts';
import type { Consequence } from '../../../../src/core/vocabulary/questions/consequence.ts';
import type { Question } from '../../../../src/core/vocabulary/questions/question.ts';
import { EXAMINATION, START, Story } from '../../story.ts';

const asking = new Story({ policy: { restarts: 0 }, task: { scope: ['src/**'] } })
  .prepared()
  .started()
  .ended().state;
const [attempt] = asking.attempts as [Attempt];
const question = asking.questions[0]?.question as Question;
const stale: Blocker = {
  code: 'scope_stale',
  stage: 'explore',
  returnsTo: 'explore',
  source: 'said',
  said: ['x'],
  resolutions: [],
};
const passed = { tree: 't9', unverified: false, decidedAt: 1 };

/** The answer to a question whose one option has this consequence. */
function answered(
  consequence: Consequence | undefined,
  from: Partial<RunState> = {},
  note = '',
  option = 'retry',
) {
  const options = [
    {
      id: 'retry',
      label: 'do it',
      effect: '',
      ...(consequence === undefined ? {} : { consequence }),
    } as const,
  ];
  const before: RunState = {
    ...asking,
    questions: [
      { incident: asking.incidents[0]?.id ?? null, answer: null, question: { ...question, options } },
    ],
    ...from,
  };
  const turn = new Turn(before, { at: START });
  questionAnswered(
    turn,
    { type: 'question_answered', at: START, question: question.id, option, note, by: 'ann' },
    before,
  );
  const applied = turn.decisions.find(({ type }) => type === 'answer_applied');
  return {
    changes: applied?.type === 'answer_applied' ? applied.changes : null,
    commands: turn.commands.map(({ command }) => command),
    turn,
  };
}
const types = (...of: Parameters<typeof answered>) => answered(...of).commands.map(({ type }) => type);

describe('an answer', () => {
  it('is about the open question; without one nothing happens', () => {
    const { commands, changes } = answered({ type: 'abandon' }, { questions: [] });
    expect([commands, changes]).toEqual([[], null]);
  });

  it('beside a process that may live ends that first, and keeps what it changes', () => {
    const budget = { tokens: 5, usd: null, turns: null, wallClockMs: null };
    const living = { attempts: [{ ...attempt, endedAt: null }] };
    const { commands, changes } = answered({ type: 'raise_budget', budget }, living);
    expect(commands).toMatchObject([{ type: 'stop_attempt', why: 'answered: retry' }]);
    expect(changes).toEqual({ budget });
  });

  it('delivers what passed every gate instead of starting an agent', () => {
    const ready = { delivery: { ...asking.delivery, passed } };
    for (const consequence of [
      { type: 'try_again', from: 'agent', checks: [] },
      { type: 'fix_sink', branch: null },
      { type: 'change_sink', sink: { type: 'none' } },
      { type: 'start_anyway' },
    ] as const)
      expect(answered(consequence, ready).commands).toMatchObject([{ type: 'deliver', tree: 't9' }]);
  });

  it('to start on a full disk forgets the disk, and only the disk', () => {
    const hold = (kind: 'disk' | 'network') => ({ key: kind, kind, until: null, reason: '', holder: 'r2' });
    const { changes } = answered({ type: 'start_anyway' }, { holds: [hold('disk'), hold('network')] });
    expect(changes).toEqual({ holds: [hold('network')], holdsOverruledAt: START });
  });

  it('before the work leads to the work, not to the gate', () => {
    const early = { delivery: { ...asking.delivery, blockers: [stale] }, attempts: [] };
    expect(types({ type: 'set_scope', allowed: ['**'] }, early)).toEqual(['run_checks']);
    expect(answered({ type: 'set_scope', allowed: ['**'] }, early).commands).toMatchObject([
      { purpose: 'baseline' },
    ]);
    expect(answered({ type: 'set_scope', allowed: ['**'] }).commands).toMatchObject([{ purpose: 'gate' }]);
  });

  it('that accepts the work delivers it by that word', () => {
    const checkpoints = [
      { number: 1, state: 'complete', tree: 't1', commit: 'k', missing: [], reason: '', at: START } as const,
    ];
    const given = answered({ type: 'accept' }, { checkpoints }, 'good enough');
    expect(given.changes).toEqual({ accepted: { by: 'ann', note: 'good enough' } });
    expect(given.commands).toMatchObject([{ type: 'deliver', tree: 't1' }]);
  });

  it('gives up with the person’s words', () => {
    const { turn } = answered({ type: 'abandon' }, {}, 'wrong task');
    expect(turn.state.life).toMatchObject({ reason: 'stopped for good by ann: wrong task' });
    expect(answered({ type: 'abandon' }).turn.state.life).toMatchObject({
      reason: 'stopped for good by ann',
    });
  });
});

describe('an approval', () => {
  const key = { code: 'decision_pending', source: 'agent', fields: { question: 'which store?' } };
  const approve = { type: 'approve', keys: [key], judges: [], confirms: null } as const;
  const about = { tree: 't1', attempt: 1, blockers: [] };

  it('is bound to the tree, the attempt and the question that were asked about', () => {
    const questions = [
      {
        incident: null,
        answer: null,
        question: {
          ...question,
          about,
          options: [{ id: 'retry', label: 'l', effect: '', consequence: approve } as const],
        },
      },
    ];
    const { changes } = answered(approve, { questions }, 'because');
    expect(changes).toEqual({
      approval: {
        id: `r1.${asking.seq}.approval`,
        question: question.id,
        option: 'retry',
        by: 'ann',
        note: 'because',
        at: START,
        tree: 't1',
        attempt: 1,
        keys: [key],
        used: false,
      },
    });
  });

  it('that decides for the whole run keeps the words; without words the label', () => {
    const judged = (note: string, judges: readonly (typeof key | string)[] = [key]) =>
      answered({ ...approve, judges }, {}, note).changes?.judgments;
    expect(judged('Postgres')).toMatchObject([{ answer: 'Postgres', by: 'ann', key }]);
    expect(judged('')).toMatchObject([{ answer: 'do it' }]);
    expect(judged('x', ['which store?'])).toEqual([{ question: 'which store?', answer: 'x', by: 'ann' }]);
  });

  it('of a proposal takes it over', () => {
    const { changes } = answered({ ...approve, confirms: { scope: ['a'], checks: ['c'] } });
    expect(changes).toMatchObject({
      explore: 'confirmed',
      checks: ['c'],
      scope: { allowed: ['a'], by: 'proposed by the agent, confirmed by ann' },
    });
  });
});

describe('a question of an older journal', () => {
  it('carries no consequence: it is worked out', () => {
    expect(types(undefined)).toEqual(['start_attempt']);
  });

  it('an option that it did not offer is only told to the agent', () => {
    expect(types({ type: 'abandon' }, {}, '', 'other')).toEqual(['start_attempt']);
  });
});

it('an agent that goes on is told the failure once more, uncounted', () => {
  const { turn } = answered(
    { type: 'tell_agent', told: 'option' },
    { attempts: [{ ...attempt, examination: EXAMINATION }] },
    'mind the lock',
  );
  expect(turn.state.attempts.at(-1)).toMatchObject({ number: 2, counted: false });
});
