/** What keeps work from leaving the build stage: outside its scope, empty, incomplete, not proven, or touching what steers others. */
import { describe, expect, it } from 'vitest';
import { buildGate } from '../../../src/core/gates/build-gate.ts';
import type { RecordedCheck, RunState } from '../../../src/core/state/run-state.ts';
import type { ComposeFacts } from '../../../src/core/vocabulary/events/compose-facts.ts';
import { checkRecord, finding, gateFact, gateState } from './gate-state.ts';

function blockers(
  more: Partial<RunState> = {},
  compose: Partial<ComposeFacts> = {},
  changed: readonly string[] = ['a.txt'],
) {
  return buildGate(gateState(more), gateFact(compose, changed));
}

const before = (more: Partial<RecordedCheck>) =>
  checkRecord({ purpose: 'baseline', at: 1, tree: 't0', ...more });
const red = (more: Partial<RecordedCheck> = {}) => checkRecord({ passed: false, exitCode: 1, ...more });

it('work in scope with a passing check has no blocker, also where nothing was observed around it', () => {
  expect(blockers()).toEqual([]);
  const { compose: _, ...alone } = gateFact();
  expect(buildGate(gateState(), alone)).toEqual([]);
});

describe('the scope', () => {
  const scope = { ...gateState().scope, allowed: ['src/**'] };

  it('is exceeded by the paths outside it, at most 500 of them', () => {
    expect(blockers({ scope }, {}, ['src/a', 'b', 'c'])).toMatchObject([
      { code: 'scope_exceeded', source: 'change', paths: ['b', 'c'] },
    ]);
    const many = Array.from({ length: 600 }, (_, number) => `f${number}`);
    expect(blockers({ scope }, {}, many)).toMatchObject([{ paths: { length: 500 } }]);
  });

  it('what is inside may go alone, if there is any', () => {
    const ways = (changed: readonly string[]) => blockers({ scope }, {}, changed)[0]?.resolutions;
    expect(ways(['src/a', 'b'])).toEqual(['expand_scope', 'revise_work', 'split_work', 'abandon']);
    expect(ways(['b'])).toEqual(['expand_scope', 'revise_work', 'abandon']);
  });

  it('cannot be widened to a submodule: the rest may go alone, if there is any inside the scope', () => {
    const found = (changed: readonly string[]) => blockers({ scope }, { submodules: ['lib/x'] }, changed);
    expect(found(['lib/x', 'src/a'])).toMatchObject([
      {
        code: 'scope_exceeded',
        source: 'submodule',
        paths: ['lib/x'],
        resolutions: ['split_work', 'revise_work', 'abandon'],
      },
    ]);
    for (const changed of [['lib/x'], ['lib/x', 'b']])
      expect(found(changed)[0]).toMatchObject({
        source: 'submodule',
        resolutions: ['revise_work', 'abandon'],
      });
    const many = Array.from({ length: 600 }, (_, number) => `lib/${number}`);
    expect(blockers({ scope }, { submodules: many }, many)).toMatchObject([{ paths: { length: 500 } }]);
  });
});

it('a change of nothing is empty, unless its files could not be saved', () => {
  expect(blockers({}, {}, [])).toMatchObject([{ code: 'empty_change', source: 'gate' }]);
  const story = gateState();
  const attempts = story.attempts.map((one) => ({ ...one, examination: { unsaved: 'the disk is full' } }));
  const lost = blockers({ attempts: attempts as unknown as RunState['attempts'] }, {}, []);
  expect(lost.map(({ code }) => code)).toEqual(['work_not_saved']);
});

it('conflict markers are work that is not done', () => {
  expect(blockers({}, { markers: ['a.txt:3'] })).toMatchObject([
    { code: 'work_too_vague', source: 'markers', markers: ['a.txt:3'] },
  ]);
});

describe('a check of the task', () => {
  it('that was not run in this round is not recorded', () => {
    const missing = [{ code: 'check_not_recorded', source: 'task', command: 'test -f a.txt' }];
    expect(blockers({ checks: [] })).toMatchObject(missing);
    expect(blockers({ checks: [checkRecord({ at: 1 })] })).toMatchObject(missing);
    expect(blockers({ checks: [checkRecord({ purpose: 'baseline' })] })).toMatchObject(missing);
    expect(blockers({ checks: [checkRecord({ command: 'true' })] })).toMatchObject(missing);
    expect(blockers({ checks: [checkRecord({ variant: 'base' })] })).toMatchObject(missing);
  });

  it('that fails is told with how it went before the work', () => {
    const told = (...checks: RecordedCheck[]) => blockers({ checks });
    const failed = {
      code: 'check_failed',
      source: 'check',
      command: 'test -f a.txt',
      exitCode: 1,
      timedOut: false,
    };
    expect(told(red())).toMatchObject([{ ...failed, before: null, flaky: null }]);
    expect(told(before({}), red())).toMatchObject([{ before: null }]);
    expect(told(before({ passed: false }), red())).toMatchObject([{ before: 'same_output' }]);
    expect(told(before({ passed: false, outputHash: 'p' }), red())).toMatchObject([
      { before: 'other_output' },
    ]);
    expect(told(before({ passed: false, command: 'true' }), red())).toMatchObject([{ before: null }]);
  });

  it('that fails is told without the marks below a source line', () => {
    const outputTail = '    self.assertEqual(add(1, 1), 2)\n    ^^^^^^^^^^\nAssertionError: 3 != 2\n';
    const output = ['    self.assertEqual(add(1, 1), 2)', 'AssertionError: 3 != 2'];
    expect(blockers({ checks: [red({ outputTail })] })).toMatchObject([{ output }]);
  });

  it('that fails once and passes once is flaky, and blocks', () => {
    expect(blockers({ checks: [red(), checkRecord({})] })).toMatchObject([
      { code: 'check_failed', flaky: { passed: 1, runs: 2 } },
    ]);
  });

  it('that fails with the tests of before is outdated verification, and names them', () => {
    const base = red({ variant: 'base', asBefore: ['a.test.ts'] });
    expect(blockers({ checks: [checkRecord({}), base] })).toMatchObject([
      { code: 'verification_outdated', judges: ['a.test.ts'], exitCode: 1, flaky: null, before: null },
    ]);
    const { asBefore: _, ...unnamed } = base;
    expect(blockers({ checks: [checkRecord({}), unnamed] })).toMatchObject([{ judges: ['the test files'] }]);
    expect(blockers({ checks: [checkRecord({}), { ...base, passed: true }] })).toEqual([]);
    expect(blockers({ checks: [checkRecord({}), red({ variant: 'composed' })] })).toEqual([]);
  });

  it('that passed while files changed under it does not count, unless they did so before the work', () => {
    const now = checkRecord({ disturbed: ['cache', 'a.test.ts'] });
    expect(blockers({ checks: [before({ disturbed: ['cache'] }), now] })).toMatchObject([
      { code: 'check_not_recorded', source: 'disturbed', command: 'test -f a.txt', files: ['a.test.ts'] },
    ]);
    expect(blockers({ checks: [before({ disturbed: ['cache', 'a.test.ts'] }), now] })).toEqual([]);
    expect(blockers({ checks: [now] })).toMatchObject([{ files: ['cache', 'a.test.ts'] }]);
    expect(blockers({ checks: [checkRecord({}), red({ variant: 'composed', disturbed: ['x'] })] })).toEqual(
      [],
    );
  });

  it('that counts fewer tests than before, or none any more, is missing verification', () => {
    const tests = (total: number) => ({ tests: { total, failed: 0 } });
    const counted = (now: object) => blockers({ checks: [before(tests(5)), checkRecord(now)] });
    expect(counted(tests(4))).toMatchObject([
      { code: 'missing_verification', source: 'test_count', command: 'test -f a.txt', now: 4, before: 5 },
    ]);
    expect(counted({})).toMatchObject([{ now: null, before: 5 }]);
    expect(counted(tests(5))).toEqual([]);
    expect(counted(tests(6))).toEqual([]);
    expect(blockers({ checks: [before({}), checkRecord(tests(1))] })).toEqual([]);
  });
});

describe('the lines of a failed check', () => {
  const task = { ...gateState().task, checks: ['zorp'] };
  const shown = (outputTail: string, causeLine?: string) => {
    const cause = causeLine === undefined ? {} : { causeLine };
    const [found] = blockers({ task, checks: [red({ command: 'zorp', outputTail, ...cause })] });
    return (found as unknown as { output: readonly string[] }).output;
  };

  it('are all of them where there are at most five, without empty ones', () => {
    expect(shown('1  \n\n2\n3\n4\n5\n')).toEqual(['1', '2', '3', '4', '5']);
  });

  it('are the last five where no line names the cause, or the cause stands among them', () => {
    const blank = ['one', 'two', 'three', 'four', 'five', 'six'].map((word) => `zorp ${word}`);
    expect(shown(blank.join('\n'))).toEqual(blank.slice(1));
    const late = 'a\nb\nc\nd\ne\nf\nTypeError: x is not a function\ng\nh\n';
    expect(shown(late, 'TypeError: x is not a function')).toEqual([
      'e',
      'f',
      'TypeError: x is not a function',
      'g',
      'h',
    ]);
  });

  it('leave out what lies in the runtime itself', () => {
    const frames = [
      'Test.runInAsyncScope (node:async_hooks:206:9)',
      'async Test.run (node:internal/test_runner/test:797:9)',
    ];
    const told = ['add', '  5 !== 4', '    at Test.add (file:///w/add.test.js:3:8)', '1 failed'];
    const output = [...told.slice(0, 3), ...frames.map((frame) => `    at ${frame}`), ...told.slice(3)];
    expect(shown(output.join('\n'))).toEqual(told);
  });

  it('are the line that names the cause with three more, and the last', () => {
    const early = ['a', 'TypeError: x is not a function', '    at f', 'b', 'c', 'd', 'e', 'f', '1 failed'];
    expect(shown(early.join('\n'), early[1])).toEqual([...early.slice(1, 5), '1 failed']);
  });
});

it('a rule that wants a change of other files, or a check that the task lacks, blocks', () => {
  const wanted = finding('not_changed', { evidence: ['test/**'] });
  expect(blockers({}, { findings: [wanted] })).toMatchObject([
    { code: 'missing_verification', source: 'policy', rule: 'r', says: 'no links', wanted: ['test/**'] },
  ]);
  expect(blockers({}, { findings: [finding('check', { evidence: ['npm audit'] })] })).toMatchObject([
    { code: 'check_not_recorded', source: 'policy', rule: 'r', says: 'no links', command: 'npm audit' },
  ]);
  expect(blockers({}, { findings: [finding('check', { evidence: ['test -f a.txt'] })] })).toEqual([]);
  expect(blockers({}, { findings: [finding('forbidden')] })).toEqual([]);
});

describe('what steers others must be recorded', () => {
  const { task } = gateState();

  it('CI and owners, unless the task names them', () => {
    expect(blockers({}, {}, ['a.txt', 'CODEOWNERS'])).toMatchObject([
      { code: 'touch_point_unrecorded', source: 'change', paths: ['CODEOWNERS'] },
    ]);
    expect(blockers({ task: { ...task, scope: ['CODEOWNERS', 'a.txt'] } }, {}, ['CODEOWNERS'])).toEqual([]);
  });

  it('branches that moved, processes that stayed, links that leave the tree, paths that a rule names', () => {
    const movedRefs = [{ name: 'main', was: 'a', is: null }];
    const leftProcesses = [{ pid: 7, command: 'sleep' }];
    const findings = [finding('touch_point', { evidence: ['infra/x'] }), finding('approval')];
    const found = blockers({}, { movedRefs, leftProcesses, leaving: ['l -> /etc'], findings });
    expect(found).toMatchObject([
      { source: 'refs', refs: movedRefs },
      { source: 'processes', processes: leftProcesses },
      { source: 'links', links: ['l -> /etc'] },
      { source: 'policy', rule: 'r', says: 'no links', paths: ['infra/x'] },
    ]);
    expect(new Set(found.map(({ code }) => code))).toEqual(new Set(['touch_point_unrecorded']));
    expect(found).toHaveLength(4);
  });

  it('git’s own configuration, as the last attempt left it', () => {
    const [attempt] = gateState().attempts;
    const left = (examination: object | null) =>
      blockers({ attempts: [{ ...attempt, examination }] as unknown as RunState['attempts'] });
    expect(left({ configChanged: ['config'], configUndo: ['git config --unset x'] })).toMatchObject([
      { source: 'git', files: ['config'], undo: ['git config --unset x'] },
    ]);
    expect(left({ configChanged: ['config'] })).toMatchObject([{ undo: [] }]);
    expect(left({ configChanged: [] })).toEqual([]);
    expect(left(null)).toEqual([]);
    expect(blockers({ attempts: [] })).toEqual([]);
  });
});
