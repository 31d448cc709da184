/** What keeps work from its target: rules, conflicts with the target or another run, merged checks, decisions. What only warns does not. */
import { describe, expect, it } from 'vitest';
import { composeGate, composeWarnings } from '../../../src/core/gates/compose-gate.ts';
import type { RunState } from '../../../src/core/state/run-state.ts';
import { NO_RULES } from '../../../src/core/vocabulary/rules.ts';
import { COMPOSE, checkRecord, finding, gateFact, gateState } from './gate-state.ts';

const MERGE: Partial<RunState> = { sink: { type: 'merge', branch: 'main' } };
const MOVED = { name: 'main', commit: 'c2', moved: true, conflicts: ['a.txt'], theirs: ['rename a'] };
const OTHER = {
  run: 'r2',
  task: 'second\nmore',
  paths: ['a.txt', 'b.txt'],
  conflicts: ['a.txt'],
  older: true,
};
const DECIDED = {
  id: 'd',
  question: 'Which database?',
  answer: 'PostgreSQL',
  by: 'ann',
  since: null,
  paths: ['src/**'],
  file: 'd.md',
};

function blockers(more: Partial<RunState>, ...asked: Parameters<typeof gateFact>) {
  return composeGate(gateState(more), gateFact(...asked));
}

it('work that fits has no blocker, and neither has a change of nothing or one that was not composed', () => {
  expect(blockers(MERGE)).toEqual([]);
  expect(blockers(MERGE, { target: MOVED }, [])).toEqual([]);
  const { compose: _, ...uncomposed } = gateFact();
  expect(composeGate(gateState(MERGE), uncomposed)).toEqual([]);
});

it('a rule blocks where something is forbidden or missing; what it says about other gates is not told here', () => {
  const kinds = ['forbidden', 'missing', 'not_changed', 'check', 'touch_point'] as const;
  const found = blockers({}, { findings: kinds.map((kind) => finding(kind, { rule: kind })) });
  expect(found).toMatchObject([
    { code: 'policy_violated', rule: 'forbidden', says: 'no links', found: ['src/a.ts:1: x'] },
    { code: 'policy_violated', rule: 'missing' },
  ]);
  expect(found).toHaveLength(2);
});

describe('a conflict with the target', () => {
  it.each([
    { type: 'merge', branch: 'main' },
    { type: 'pull_request' },
    { type: 'patch', file: 'p' },
  ] as const)('blocks a delivery onto it: $type', (sink) => {
    const task = { ...gateState().task, text: `${'x'.repeat(300)}\nmore` };
    expect(blockers({ sink: sink as RunState['sink'], task }, { target: MOVED })).toMatchObject([
      {
        code: 'change_conflict',
        source: 'target',
        name: 'main',
        paths: ['a.txt'],
        theirs: ['rename a'],
        task: 'x'.repeat(200),
      },
    ]);
  });

  it('does not block a branch of its own, or a patch against the base', () => {
    expect(blockers({}, { target: MOVED, overlaps: [OTHER] })).toEqual([]);
    const patch: RunState['sink'] = { type: 'patch', file: 'p', againstBase: true };
    expect(blockers({ sink: patch }, { target: MOVED })).toEqual([]);
  });

  it('is none where nothing conflicts, or there is no target', () => {
    expect(blockers(MERGE, { target: { ...MOVED, conflicts: [] } })).toEqual([]);
    expect(blockers(MERGE, { target: null })).toEqual([]);
  });

  it('is a warning where it does not block, unless the base has the person’s uncommitted changes', () => {
    const warned = (more: Partial<RunState>, target: typeof MOVED | null) =>
      composeWarnings(gateState(more), { ...COMPOSE, target });
    expect(warned({}, MOVED)).toEqual(['main moved on and conflicts in a.txt; merging will need a hand']);
    expect(warned(MERGE, MOVED)).toEqual([]);
    expect(warned({}, { ...MOVED, conflicts: [] })).toEqual([]);
    expect(warned({}, null)).toEqual([]);
    const { options } = gateState();
    expect(warned({ options: { ...options, includeDirty: true } }, MOVED)).toEqual([]);
  });
});

describe('another run that changes the same', () => {
  it('blocks the younger run, where the changes cannot be merged', () => {
    expect(blockers(MERGE, { overlaps: [OTHER] })).toMatchObject([
      { code: 'change_conflict', source: 'run', name: 'r2', paths: ['a.txt'], theirs: ['second'] },
    ]);
    expect(blockers(MERGE, { overlaps: [{ ...OTHER, older: false }] })).toEqual([]);
    expect(blockers(MERGE, { overlaps: [{ ...OTHER, conflicts: [] }] })).toEqual([]);
    const [long] = blockers(MERGE, { overlaps: [{ ...OTHER, task: 'y'.repeat(300) }] });
    expect(long).toMatchObject({ theirs: ['y'.repeat(200)] });
  });

  it('is told as a warning', () => {
    expect(composeWarnings(gateState(), { ...COMPOSE, overlaps: [OTHER] })).toEqual([
      'run r2 changes a.txt, b.txt too',
    ]);
  });
});

it('a check that fails on the merged tree blocks with its last five lines; one of another round or tree does not', () => {
  const red = checkRecord({
    variant: 'composed',
    passed: false,
    exitCode: 3,
    outputTail: '1\n2\n3\n4\n5\n6\n',
  });
  expect(blockers({ checks: [red] })).toMatchObject([
    {
      code: 'change_conflict',
      source: 'merged_check',
      command: 'test -f a.txt',
      exitCode: 3,
      output: ['2', '3', '4', '5', '6'],
    },
  ]);
  expect(blockers({ checks: [{ ...red, at: 1 }] })).toEqual([]);
  expect(blockers({ checks: [{ ...red, variant: 'candidate' }] })).toEqual([]);
  expect(blockers({ checks: [{ ...red, passed: true }] })).toEqual([]);
});

describe('decisions', () => {
  const rules = { ...NO_RULES, decisions: [DECIDED] };
  const { task } = gateState();
  const says = (answer: string | null, question = 'which database') =>
    blockers({ rules, task: { ...task, decisions: [{ question, answer }] } }, {}, ['src/a.ts', 'README.md']);

  it('a task that was told otherwise conflicts with the recorded one', () => {
    expect(says('SQLite')).toMatchObject([
      {
        code: 'decision_conflict',
        question: 'Which database?',
        sides: [
          { answer: 'PostgreSQL', file: 'd.md', by: 'ann' },
          { answer: 'SQLite', file: null, by: null },
        ],
      },
    ]);
  });

  it('the same answer, no answer and another question are no conflict', () => {
    expect(says('postgresql')).toEqual([]);
    expect(says(null)).toEqual([]);
    expect(says('SQLite', 'which language')).toEqual([]);
  });

  it('count only where the change touches their paths', () => {
    const told = { rules, task: { ...task, decisions: [{ question: 'which database', answer: 'SQLite' }] } };
    expect(blockers(told, {}, ['README.md'])).toEqual([]);
  });

  it('of base and target that disagree are told once, by the one of the base', () => {
    const target = { ...DECIDED, answer: 'MySQL', file: 't.md', by: 'bob' };
    const targetRules = { ...NO_RULES, decisions: [target] };
    expect(blockers({ rules }, { targetRules }, ['src/a.ts'])).toMatchObject([
      {
        sides: [
          { answer: 'PostgreSQL', file: 'd.md' },
          { answer: 'MySQL', file: 't.md', by: 'bob' },
        ],
      },
    ]);
    const calm = (decision: Partial<typeof DECIDED> | { answer: null }) =>
      blockers({ rules }, { targetRules: { ...NO_RULES, decisions: [{ ...target, ...decision }] } }, [
        'src/a.ts',
      ]);
    expect(calm({ answer: 'PostgreSQL' })).toEqual([]);
    expect(calm({ answer: null })).toEqual([]);
    expect(calm({ question: 'Which language?' })).toEqual([]);
  });

  it('that are open need a judgment where the change touches them, until a person made it', () => {
    const open = { rules: { ...NO_RULES, decisions: [{ ...DECIDED, answer: null }] } };
    expect(blockers(open, {}, ['src/a.ts', 'b'])).toMatchObject([
      { code: 'judgment_missing', source: 'decision', question: 'Which database?', file: 'd.md' },
    ]);
    expect(blockers(open, {}, ['b'])).toEqual([]);
    expect(blockers({ rules }, {}, ['src/a.ts'])).toEqual([]);
    const judgments = [{ question: 'which database', answer: 'SQLite', by: 'ann', at: 1 }];
    expect(
      blockers({ ...open, judgments: judgments as unknown as RunState['judgments'] }, {}, ['src/a.ts']),
    ).toEqual([]);
  });
});

it('an approval before the merge needs a judgment; one before the delivery is asked for there', () => {
  const asked = (approval: 'compose' | 'delivery') =>
    blockers({}, { findings: [finding('approval', { approval, evidence: ['db/x.sql'] })] });
  expect(asked('compose')).toMatchObject([
    { code: 'judgment_missing', source: 'policy', rule: 'r', says: 'no links', paths: ['db/x.sql'] },
  ]);
  expect(asked('delivery')).toEqual([]);
});
