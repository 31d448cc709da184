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

  it.each<[string, Consequence, object | null, readonly string[]]>([
    ['tells the agent', { type: 'tell_agent', told: 'option' }, null, ['start_attempt']],
    ['starts a rescue', { type: 'rescue' }, null, ['start_attempt']],
    [
      'allows tools',
      { type: 'allow_tools', tools: ['Write'] },
      { permissions: ['Write'] },
      ['start_attempt'],
    ],
    ['leaves the set-up out', { type: 'skip_setup' }, { setup: null }, ['start_attempt']],
    ['passes variables', { type: 'pass_variables', names: ['A'] }, { environment: ['A'] }, ['start_attempt']],
    ['tries again', { type: 'try_again', from: 'agent', checks: [] }, null, ['start_attempt']],
    [
      'asks the gate again',
      { type: 'try_again', from: 'gate', checks: ['npm test'] },
      { checks: ['test -f a.txt', 'npm test'] },
      ['run_checks'],
    ],
    ['saves again', { type: 'try_again', from: 'examination', checks: [] }, null, ['examine_attempt']],
    [
      'sets the scope',
      { type: 'set_scope', allowed: ['a/**'] },
      { scope: { allowed: ['a/**'], by: 'confirmed by ann' }, staleScope: [], explore: 'off' },
      ['run_checks'],
    ],
    ['splits the work', { type: 'split_work' }, null, ['split_work']],
    ['rebases the work', { type: 'rebase' }, null, ['rebase_work']],
    [
      'changes the sink',
      { type: 'change_sink', sink: { type: 'none' } },
      { sink: { type: 'none' } },
      ['run_checks'],
    ],
    ['gives up', { type: 'abandon' }, { abandonAsked: { by: 'ann', reason: '' } }, ['release']],
  ])('%s', (_, consequence, changes, commands) => {
    const given = answered(consequence);
    expect(given.changes).toEqual(changes);
    expect(given.commands.map(({ type }) => type)).toEqual(commands);
    expect(given.turn.timers.cancel).toContain('question');
  });

  it('adds to what was allowed before', () => {
    const options = { ...asking.options, permissions: ['Read'], environment: ['B'] };
    expect(answered({ type: 'allow_tools', tools: ['Write'] }, { options }).changes).toEqual({
      permissions: ['Read', 'Write'],
    });
    expect(answered({ type: 'pass_variables', names: ['A'] }, { options }).changes).toEqual({
      environment: ['B', 'A'],
    });
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

describe('a scope', () => {
  const confirm = (explore: RunState['explore']) =>
    answered({ type: 'set_scope', allowed: ['a'] }, { explore }).changes;

  it('ends the exploring that it was for', () => {
    expect(confirm('off')).toMatchObject({ explore: 'off' });
    expect(confirm('proposed')).toMatchObject({ explore: 'confirmed' });
  });

  it('that the note names is taken from it; an empty note allows nothing more', () => {
    expect(answered({ type: 'name_scope' }, {}, ' a/**  b/** ').changes).toMatchObject({
      scope: { allowed: ['a/**', 'b/**'] },
    });
    expect(answered({ type: 'name_scope' }, {}, '  ').changes).toBeNull();
  });

  it('is widened on top of what it was, and says by whom; the agent goes on where it asked', () => {
    const wider = { type: 'widen_scope', globs: ['db/**'] } as const;
    expect(answered(wider).changes).toMatchObject({
      scope: { allowed: ['src/**', 'db/**'], by: expect.stringMatching(/; widened by ann$/) },
    });
    expect(types(wider)).toEqual(['run_checks']);
    expect(types({ ...wider, for: 'agent' })).toEqual(['start_attempt']);
  });
});

describe('a mended sink', () => {
  const fixed = (
    note: string,
    branch: string | null,
    sink: RunState['sink'] = { type: 'branch', name: 'b' },
  ) => answered({ type: 'fix_sink', branch }, { sink }, note).changes;

  it.each<[string, string | null, string | null]>([
    ['other', null, 'other'],
    ['branch:other', 'mayday/r1', 'other'],
    ['I made room', 'mayday/r1', null],
    ['', 'mayday/r1', 'mayday/r1'],
    ['', null, null],
  ])('with the note %j and the branch %s goes to %s', (note, branch, name) => {
    expect(fixed(note, branch)).toEqual(name === null ? null : { sink: { type: 'branch', name } });
  });

  it('that is no branch stays what it is', () => {
    expect(fixed('other', 'mayday/r1', { type: 'none' })).toBeNull();
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
