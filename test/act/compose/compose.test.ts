/** The world around a candidate, with real git: the target moves, rules change, another run works on the same file. */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compose } from '../../../src/act/compose/compose.ts';
import { submoduleChanges } from '../../../src/act/compose/submodule-changes.ts';
import { rebaseWork } from '../../../src/act/rebase-work.ts';
import { runChecksAct } from '../../../src/act/run-checks.ts';
import { splitWork } from '../../../src/act/split-work.ts';
import { takeCheckpoint } from '../../../src/act/checkpoint/take-checkpoint.ts';
import { treeChanges } from '../../../src/act/checkpoint/tree-changes.ts';
import { openWorkspace } from '../../../src/act/workspace/workspace.ts';
import { HAS_PROC, readProcess } from '../../../src/platform/process/proc-table.ts';
import { selfIdentity } from '../../../src/platform/process/process-identity.ts';
import type { RunState } from '../../../src/core/state/run-state.ts';
import { Story } from '../../core/story.ts';
import { preparedWorkspace, writeFiles } from '../temporary-repository.ts';

const LINES = '1\n2\n3\n4\n5\n6\n7\n8\n9\n';

async function changed(files: Readonly<Record<string, string>> = { 'a.txt': LINES, 'b.txt': 'b\n' }) {
  const run = await preparedWorkspace(files);
  writeFiles(run.path, { 'a.txt': LINES.replace('8', 'eight') });
  const { tree } = await takeCheckpoint({ ...run, number: 1, reason: 'done' });
  const story = new Story({ task: { sink: { type: 'merge', branch: 'main' }, checks: ['sh check.sh'] } });
  const state: RunState = {
    ...story.state,
    workspace: { ...(run.workspace as unknown as NonNullable<RunState['workspace']>) },
  };
  return { run, tree, state };
}

async function facts(
  { run, tree, state }: Awaited<ReturnType<typeof changed>>,
  others: Parameters<typeof compose>[0]['others'] = [],
) {
  const { workspace } = run;
  const changes = await treeChanges(workspace.shadow, workspace.baseTree, tree);
  return await compose({ state, workspace, tree, changes, others, at: 1_700_000_000_000 });
}

function commit(
  { repository }: Awaited<ReturnType<typeof changed>>['run'],
  files: Readonly<Record<string, string>>,
  message: string,
) {
  repository.write(files);
  repository.git('add', '.');
  repository.git('commit', '-qm', message);
}

function context(state: RunState, home: string) {
  const signal = new AbortController().signal;
  return { home, state, env: process.env, signal, now: () => 1_700_000_000_000 };
}

describe('compose', () => {
  it('has nothing to say about a target that did not move', async () => {
    const work = await changed();
    expect(await facts(work)).toMatchObject({
      mergedTree: null,
      facts: {
        target: { name: 'main', moved: false, conflicts: [] },
        overlaps: [],
        markers: [],
        leaving: [],
      },
    });
  });

  it('merges with a target that moved elsewhere, and knows the target’s own rules', async () => {
    const work = await changed();
    commit(
      work.run,
      { 'a.txt': LINES.replace('2', 'two'), '.mayday/policies/p.yaml': 'policy: no eight\nforbid: eight\n' },
      'theirs',
    );
    const { mergedTree, facts: seen } = await facts(work);
    expect(mergedTree).not.toBeNull();
    expect(seen.target).toMatchObject({ moved: true, conflicts: [], theirs: ['theirs'] });
    expect(seen.findings).toMatchObject([{ kind: 'forbidden', rule: 'p', evidence: ['a.txt:8: eight'] }]);
  });

  it('names what collides, with the target’s intent', async () => {
    const work = await changed();
    commit(work.run, { 'a.txt': LINES.replace('8', 'acht') }, 'in German');
    expect((await facts(work)).facts.target).toMatchObject({ conflicts: ['a.txt'], theirs: ['in German'] });
  });

  it('sees other runs on the same paths and whether both can stand', async () => {
    const work = await changed();
    writeFiles(work.run.path, { 'a.txt': LINES.replace('8', 'huit') });
    const other = await takeCheckpoint({ ...work.run, number: 2, reason: 'another run' });
    const run = {
      runId: 'r2',
      task: 'in French',
      createdAt: 0,
      changed: ['a.txt', 'c.txt'],
      tree: other.tree,
    };
    const gone = { ...run, runId: 'r3', tree: 'f'.repeat(40) };
    expect((await facts(work, [run, gone, { ...run, changed: ['z'] }])).facts.overlaps).toEqual([
      { run: 'r2', task: 'in French', paths: ['a.txt'], conflicts: ['a.txt'], older: true },
      { run: 'r3', task: 'in French', paths: ['a.txt'], conflicts: [], older: true },
    ]);
  });

  it('finds conflict markers and links that leave the tree', async () => {
    const work = await changed();
    writeFiles(work.run.path, {
      'm.txt': 'x\n<<<<<<< ours\n=======\n>>>>>>> theirs\n',
      'title.md': 'T\n=======\n',
    });
    symlinkSync('/etc/passwd', join(work.run.path, 'out'));
    symlinkSync('b.txt', join(work.run.path, 'inside'));
    // A name that only begins with two dots is a name; Kubernetes lays out its volumes so.
    symlinkSync('..data/x', join(work.run.path, 'volume'));
    const { tree } = await takeCheckpoint({ ...work.run, number: 2, reason: 'x' });
    expect((await facts({ ...work, tree })).facts).toMatchObject({
      markers: ['m.txt:2'],
      leaving: ['out -> /etc/passwd'],
    });
  });
});

it('checks run again on the merged result: what passes alone and fails together is seen', async () => {
  const work = await changed({
    'a.txt': LINES,
    'b.txt': 'b\n',
    'check.sh': '! grep -q eight a.txt || ! grep -q two a.txt\n',
  });
  commit(work.run, { 'a.txt': LINES.replace('2', 'two') }, 'theirs');
  const [fact] = await runChecksAct(context(work.state, work.run.home), {
    type: 'run_checks',
    purpose: 'gate',
    tree: work.tree,
  });
  expect(fact).toMatchObject({
    results: [
      { variant: 'candidate', passed: true },
      { variant: 'composed', passed: false },
    ],
  });
});

it('a check that fails is stored with the line that names the cause, not only with its last lines', async () => {
  const work = await changed({
    'a.txt': LINES,
    'check.sh': 'echo "AssertionError: expected 3, got 5"; seq 40; ! grep -q eight a.txt\n',
  });
  const [fact] = await runChecksAct(context(work.state, work.run.home), {
    type: 'run_checks',
    purpose: 'gate',
    tree: work.tree,
  });
  expect(fact).toMatchObject({
    results: expect.arrayContaining([
      expect.objectContaining({ passed: false, causeLine: 'AssertionError: expected 3, got 5' }),
    ]),
  });
});

it('a check that fails for what this machine surely lacks is stored with its diagnosis', async () => {
  const lacks = `error: rustup could not choose a version of cargo to run, because one wasn't specified explicitly`;
  const work = await changed({ 'a.txt': LINES, 'check.sh': `echo "${lacks}"; exit 1\n` });
  const [fact] = await runChecksAct(context(work.state, work.run.home), {
    type: 'run_checks',
    purpose: 'gate',
    tree: work.tree,
  });
  const results = fact?.type === 'checks_finished' ? fact.results : [];
  expect(results[0]?.needsPerson).toMatchObject({ failureType: 'missing_dependency', recoverable: false });
});

describe('rebase', () => {
  it('moves the work onto the target; both intents are in the files, and a second look changes nothing', async () => {
    const { run, tree, state } = await changed();
    commit(run, { 'a.txt': LINES.replace('8', 'acht'), 'c.txt': 'theirs\n' }, 'theirs');
    const rebase = () => rebaseWork(context(state, run.home), { type: 'rebase_work', tree });
    const [fact] = await rebase();
    expect(fact).toMatchObject({
      type: 'work_rebased',
      conflicts: ['a.txt'],
      baseCommit: run.repository.git('rev-parse', 'main'),
    });
    const text = readFileSync(join(run.path, 'a.txt'), 'utf8');
    expect(text).toContain('acht');
    expect(text).toContain('eight');
    expect(existsSync(join(run.path, 'c.txt'))).toBe(true);
    const [again] = await rebase();
    expect(again).toMatchObject({ conflicts: ['a.txt'] });
    expect(readFileSync(join(run.path, 'a.txt'), 'utf8')).toBe(text);
    const workspace = await openWorkspace({ home: run.home, runId: run.runId });
    writeFiles(run.path, { 'a.txt': LINES.replace('8', 'acht and eight') });
    const after = await takeCheckpoint({ ...run, number: 9, reason: 'resolved' });
    const left = await treeChanges(workspace.shadow, workspace.baseTree, after.tree);
    expect(
      left.map(({ rawPath }) => rawPath),
      'the target’s own changes are no longer the work',
    ).toEqual(['a.txt']);
  });
});

it('what the target deleted is deleted from the work, also in a folder whose name begins with two dots', async () => {
  const { run, tree, state } = await changed({
    'a.txt': LINES,
    '..data/old.txt': 'old\n',
    '..data/kept.txt': 'k\n',
  });
  run.repository.git('rm', '-q', '..data/old.txt');
  run.repository.git('commit', '-qm', 'theirs');
  await rebaseWork(context(state, run.home), { type: 'rebase_work', tree });
  expect(existsSync(join(run.path, '..data/old.txt'))).toBe(false);
  expect(existsSync(join(run.path, '..data/kept.txt'))).toBe(true);
});

it('a base that git cannot list is no base without submodules: the gate does not pass', async () => {
  const { run, tree } = await changed();
  const lost = { ...run.workspace, baseCommit: 'f'.repeat(40) };
  await expect(submoduleChanges(lost, tree, {})).rejects.toMatchObject({
    code: 'GIT_FAILED',
  });
});

describe('a scope', () => {
  it('splits the work: inside goes on, outside stays in the checkpoint', async () => {
    const { run, state } = await changed();
    writeFiles(run.path, { 'src/in.txt': 'x', 'db/out.txt': 'y' });
    const { tree } = await takeCheckpoint({ ...run, number: 2, reason: 'x' });
    const [fact] = await splitWork(context(state, run.home), {
      type: 'split_work',
      tree,
      allowed: ['src/**'],
    });
    expect(fact).toMatchObject({ type: 'work_split', from: tree, left: ['a.txt', 'db/out.txt'] });
    const part = fact?.type === 'work_split' ? fact.tree : '';
    const changes = await treeChanges(run.workspace.shadow, run.workspace.baseTree, part);
    expect(changes.map(({ rawPath }) => rawPath)).toEqual(['src/in.txt']);
  });
});

describe('a process that outlived the agent', () => {
  it.skipIf(!HAS_PROC)('is told at the gate while it works in the workspace', async () => {
    const { run, tree, state: before } = await changed();
    const attendant = selfIdentity();
    const attempts = [{ handle: { attendant: { ...attendant, startTicks: ownTicks() } } }];
    const state = { ...before, attempts: attempts as unknown as RunState['attempts'], runId: run.runId };
    const gate = async () => {
      const [fact] = await runChecksAct(context(state, run.home), {
        type: 'run_checks',
        purpose: 'gate',
        tree,
      });
      return fact?.type === 'checks_finished' ? fact.compose?.leftProcesses?.map(({ pid }) => pid) : null;
    };
    const line = 'setsid env -i sleep 60 > /dev/null 2>&1 & echo $!';
    const left = Number(execFileSync('sh', ['-c', line], { cwd: run.path, encoding: 'utf8' }));
    try {
      expect(await gate()).toEqual([left]);
    } finally {
      process.kill(left, 'SIGKILL');
    }
    expect(await gate()).toEqual([]);
  });
});

/** Of a process that begins now. */
function ownTicks(): number {
  const child = spawn('sleep', ['60']);
  const { startTicks } = readProcess(child.pid ?? 0) ?? { startTicks: 0 };
  child.kill('SIGKILL');
  return startTicks;
}
