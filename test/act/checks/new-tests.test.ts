import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { verifyWork } from '../../../src/act/checks/verify-work.ts';
import { takeCheckpoint } from '../../../src/act/checkpoint/take-checkpoint.ts';
import { countTests } from '../../../src/core/gates/test-counts.ts';
import { packPaths } from '../../../src/core/judge/read-paths.ts';
import { sampled } from '../../lane.ts';
import { preparedWorkspace, writeFiles } from '../temporary-repository.ts';
import { FIXES, FURTHER_SHAPES, type NewTestShape } from './new-test-shapes.ts';
import { runnerTools, titled } from './runner-tools.ts';

const place = mkdtempSync(join(tmpdir(), 'mayday-tools-'));
const tools = runnerTools(place);
afterAll(() => rmSync(place, { recursive: true, force: true }));
const env = {
  PATH: `${tools.folder}:${process.env['PATH'] ?? ''}`,
  HOME: process.env['HOME'] ?? '',
  // A plugin of the machine may ask git what changed, and git then reads every file of the tree.
  PYTEST_DISABLE_PLUGIN_AUTOLOAD: '1',
  ...(tools.standIns.has('pytest') ? { PYTHONPATH: tools.folder } : {}),
};

/** The outcomes of the gate's checks on the work, with a baseline that was observed, as in a run. */
async function judged({ base = {}, work, check }: Pick<NewTestShape, 'base' | 'work' | 'check'>) {
  const run = await preparedWorkspace(base);
  const spec = {
    home: run.home,
    runId: run.runId,
    setup: null,
    setupTimeoutMs: 20_000,
    ignoredToCopy: [],
    nodeModules: 'setup' as const,
    env,
    commands: [check],
    ownedPaths: [],
    timeoutMs: 120_000,
  };
  const { tree: baseTree } = await takeCheckpoint({ ...run, number: 1, reason: 'x' });
  const baseline = await verifyWork({ ...spec, tree: baseTree });
  const before = baseline.outcomes.map(({ command, passed, output, opened }) => {
    const read = opened && packPaths(opened, Object.keys(base));
    return { command, passed, tests: countTests(output), ...(read === null ? {} : { read }) };
  });
  writeFiles(run.path, work);
  const { tree } = await takeCheckpoint({ ...run, number: 2, reason: 'x' });
  return (await verifyWork({ ...spec, tree, before })).outcomes;
}

describe('new tests run as they are', () => {
  it.each(sampled(titled(FURTHER_SHAPES, tools), 4))('$title', passesAsItIs);
});

describe('the fix of a file that a check names is the work', () => {
  it.each(titled(FIXES, tools))('$title', passesAsItIs);
});

async function passesAsItIs(shape: NewTestShape): Promise<void> {
  for (const { variant, passed, output, asBefore } of await judged(shape))
    expect({ variant, passed, said: passed ? '' : `${asBefore?.join(' ')}\n${output}` }).toEqual({
      variant,
      passed: true,
      said: '',
    });
}

/** The same shapes, with old work that is still wrong: a new test beside it must not hide that. */
describe('an agent that brings new tests does not get rid of the old ones', () => {
  const wrong = {
    'old.py': 'def old():\n    return 2\n',
    'test_old.py':
      'import unittest, old\n\n\nclass Old(unittest.TestCase):\n    def test_old(self):\n        self.assertEqual(old.old(), 1)\n',
  };
  const passes = 'import unittest\n\n\nclass T(unittest.TestCase):\n    def test_t(self):\n        pass\n';
  it.each([
    [
      'edits the old test beside a new one that the line names',
      'python3 -m unittest test_old test_new',
      { 'test_old.py': passes, 'test_new.py': passes },
    ],
    [
      'ends the runner from a new test',
      'python3 -m unittest',
      { 'test_old.py': passes, 'test_a.py': 'import os\n\nos._exit(0)\n' },
    ],
    [
      'bends the framework in a new test, and leaves the old one as it is',
      'python3 -m unittest',
      { 'test_a.py': `${passes}\n\nunittest.TestCase._callTestMethod = lambda self, method: None\n` },
    ],
    [
      'answers in the name of the tool',
      'python3 -m unittest test_new',
      { 'test_new.py': 'broken(', 'unittest.py': '' },
    ],
    [
      'has new tests in a new folder with the name of the task',
      'make test',
      { 'test/test_new.py': passes, 'test_old.py': passes },
    ],
  ])('%s', async (_, check, work) => {
    const base = { ...wrong, Makefile: '.PHONY: test\ntest:\n\tpython3 -m unittest test_old\n' };
    const outcomes = await judged({ base, work, check });
    expect(outcomes.map(({ variant, passed }) => [variant, passed])).toEqual([
      ['candidate', true],
      ['base', false],
    ]);
  });
});
