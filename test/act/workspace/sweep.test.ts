import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listCheckpoints } from '../../../src/act/checkpoint/checkpoint.ts';
import { makeWorkspace } from '../../../src/act/workspace/make-workspace.ts';
import { releaseWorkspace } from '../../../src/act/workspace/release-workspace.ts';
import { restoreCheckpoint } from '../../../src/act/checkpoint/restore-checkpoint.ts';
import { sweep } from '../../../src/act/workspace/sweep.ts';
import { DEFAULT_POLICY } from '../../../src/core/vocabulary/policy.ts';
import { gitIn, preparedWorkspace, workspaceSpec, writeFiles } from '../temporary-repository.ts';

const DAY = 24 * 60 * 60_000;
const NOW = 1_700_000_000_000;
const policy = DEFAULT_POLICY;
const ENDED = new Map([['r1', { ended: true, keep: false, changedAt: NOW }]]);

describe('sweep', () => {
  it('quarantines the workspace of an ended run, removes it days later, and both can be undone', async () => {
    const run = await preparedWorkspace({ 'a.txt': 'a', '.gitignore': 'local.db\ndist/\n' });
    writeFiles(run.path, { 'a.txt': 'work', 'local.db': 'data', 'dist/bundle.js': 'made again' });
    const first = await sweep({ home: run.home, runs: ENDED, now: NOW, policy });
    const quarantine = join(run.home, 'quarantine/r1');
    expect(first).toMatchObject({
      quarantined: [quarantine],
      removed: [],
      erased: [],
      kept: [],
      orphans: [],
    });
    expect(readFileSync(join(quarantine, 'a.txt'), 'utf8')).toBe('work');
    expect(gitIn(quarantine, 'status', '--porcelain')).toBe('M a.txt');
    expect(await sweep({ home: run.home, runs: ENDED, now: NOW + 6 * DAY, policy })).toMatchObject({
      removed: [],
    });
    writeFiles(quarantine, { 'late.txt': 'written in quarantine' });
    const last = await sweep({ home: run.home, runs: ENDED, now: NOW + 7 * DAY, policy });
    expect(last).toMatchObject({ quarantined: [], erased: [], kept: [], later: [], orphans: [] });
    expect(last.removed.map(({ path }) => path)).toEqual([quarantine]);
    expect(existsSync(quarantine)).toBe(false);
    expect(run.repository.git('worktree', 'list')).not.toContain('quarantine');
    await makeWorkspace(workspaceSpec(run.repository));
    const number = (await listCheckpoints(run)).at(-1)?.number as number;
    await restoreCheckpoint({ ...run, number, liveProcesses: 0 });
    for (const [path, text] of [
      ['a.txt', 'work'],
      ['local.db', 'data'],
      ['late.txt', 'written in quarantine'],
    ] as const)
      expect(readFileSync(join(run.path, path), 'utf8')).toBe(text);
  });

  it('leaves runs that go on, work that stays by wish, and what it cannot save', async () => {
    const run = await preparedWorkspace();
    writeFiles(run.path, { x: 'x' });
    const going = new Map([['r1', { ended: false, keep: false, changedAt: NOW }]]);
    expect(await sweep({ home: run.home, runs: going, now: NOW, policy })).toMatchObject({
      kept: [],
      quarantined: [],
    });
    const wished = new Map([['r1', { ended: true, keep: true, changedAt: NOW }]]);
    expect(await sweep({ home: run.home, runs: wished, now: NOW, policy })).toMatchObject({
      kept: [{ path: run.path }],
    });
    mkdirSync(join(run.path, 'nested'));
    gitIn(join(run.path, 'nested'), 'init', '-q');
    writeFiles(run.path, { 'nested/file': 'x' });
    const report = await sweep({ home: run.home, runs: ENDED, now: NOW, policy });
    expect(report.kept[0]?.why).toContain('nested/.git');
    expect(existsSync(join(run.path, 'nested/file'))).toBe(true);
  });

  it('reports what no run on record owns and deletes none of it', async () => {
    const run = await preparedWorkspace();
    for (const path of ['check/r7/x', 'quarantine/r8/y', 'work/r9/z'])
      writeFiles(run.home, { [path]: 'somebody’s' });
    const report = await sweep({ home: run.home, runs: new Map(), now: NOW + 1000 * DAY, policy });
    expect(report.orphans.map(({ path }) => path)).toEqual(
      ['work/r1', 'work/r9', 'check/r7', 'quarantine/r8'].map((path) => join(run.home, path)),
    );
    for (const path of ['check/r7/x', 'quarantine/r8/y', 'work/r9/z'])
      expect(existsSync(join(run.home, path))).toBe(true);
  });

  it('still works when the repository is gone', async () => {
    const run = await preparedWorkspace();
    writeFiles(run.path, { x: 'x' });
    rmSync(run.repository.root, { recursive: true });
    await sweep({ home: run.home, runs: ENDED, now: NOW, policy });
    expect(existsSync(join(run.home, 'quarantine/r1/x'))).toBe(true);
    const report = await sweep({ home: run.home, runs: ENDED, now: NOW + 8 * DAY, policy });
    expect(report.removed.map(({ path }) => path)).toEqual([join(run.home, 'quarantine/r1')]);
  });
});

describe('the raw output of a run', () => {
  const files = { stdout: 'sk-secret', stderr: '', 'hooks.jsonl': '{}', 'exit.json': '{}', 'brief.md': 'b' };

  it('is erased a week after the run ended, and what else is known about the attempt stays', async () => {
    const run = await preparedWorkspace();
    const attempt = join(run.home, 'runs/r1/attempts/1');
    const elsewhere = join(run.home, 'elsewhere');
    const hookFiles = [join(attempt, 'hooks.jsonl'), elsewhere];
    const launch = JSON.stringify({ agentSession: 's', agentVersion: null, hookFiles, sessionFiles: [] });
    writeFiles(attempt, { ...files, 'launch.json': launch });
    writeFiles(run.home, { elsewhere: 'the agent’s own' });
    const early = await sweep({ home: run.home, runs: ENDED, now: NOW + 6 * DAY, policy });
    expect(early.erased).toEqual([]);
    expect(existsSync(join(attempt, 'stdout'))).toBe(true);
    const due = { home: run.home, runs: ENDED, now: NOW + 7 * DAY, policy };
    expect((await sweep(due)).erased).toEqual(['r1']);
    expect(readdirSync(attempt).toSorted()).toEqual(['brief.md', 'exit.json', 'launch.json']);
    expect(existsSync(elsewhere)).toBe(true);
    expect((await sweep(due)).erased).toEqual([]);
  });

  it('stays while the run goes on, however old it is', async () => {
    const run = await preparedWorkspace();
    writeFiles(join(run.home, 'runs/r1/attempts/1'), files);
    const runs = new Map([['r1', { ended: false, keep: false, changedAt: 0 }]]);
    expect((await sweep({ home: run.home, runs, now: NOW + 30 * DAY, policy })).erased).toEqual([]);
  });
});

describe('sweep tells what the rest is', () => {
  it('of a quarantine that is not over: how much, and when it goes', async () => {
    const run = await preparedWorkspace();
    writeFiles(run.path, { 'big.bin': 'x'.repeat(100_000) });
    const path = join(run.home, 'quarantine/r1');
    const first = await sweep({ home: run.home, runs: ENDED, now: NOW, policy, measure: true });
    expect(first.later).toEqual([
      { runId: 'r1', path, bytes: expect.any(Number), removableAt: NOW + policy.quarantine_ms },
    ]);
    expect(first.later[0]?.bytes).toBeGreaterThan(100_000);
    const last = await sweep({ home: run.home, runs: ENDED, now: NOW + 8 * DAY, policy, measure: true });
    expect(last.removed[0]?.bytes).toBeGreaterThan(100_000);
  });

  it('of a run that has not ended: that its worktree is in use', async () => {
    const run = await preparedWorkspace();
    const going = new Map([['r1', { ended: false, keep: false, changedAt: NOW }]]);
    const { later } = await sweep({ home: run.home, runs: going, now: NOW, policy, measure: true });
    expect(later).toMatchObject([{ runId: 'r1', path: run.path, removableAt: null }]);
  });
});

describe('releasing a workspace', () => {
  it('gives the branch that the agent checked out back, unlocked, and drops what can be installed again', async () => {
    const run = await preparedWorkspace({ 'a.txt': 'a', '.gitignore': 'node_modules/\ndist/\n' });
    gitIn(run.path, 'checkout', '-q', '-b', 'feature/y');
    writeFiles(run.path, {
      'a.txt': 'work',
      'node_modules/x/index.js': 'x',
      'packages/p/node_modules/y.js': 'y',
      'packages/p/own.js': 'own',
      'dist/out.js': 'built',
    });
    await releaseWorkspace({ ...run, keep: false, now: NOW });
    const quarantine = join(run.home, 'quarantine/r1');
    expect(run.repository.git('worktree', 'list', '--porcelain')).not.toContain('locked');
    run.repository.git('checkout', '-q', 'feature/y');
    expect(gitIn(quarantine, 'status', '--porcelain')).toContain('M a.txt');
    expect(existsSync(join(quarantine, 'node_modules'))).toBe(false);
    expect(readdirSync(join(quarantine, 'packages/p'))).toEqual(['own.js']);
    expect(existsSync(join(quarantine, 'dist/out.js')), 'only what package managers make goes early').toBe(
      true,
    );
  });

  it('also gives back what a rebase of the agent still held', async () => {
    const run = await preparedWorkspace({ 'a.txt': 'a' });
    gitIn(run.path, 'checkout', '-q', '-b', 'feature/y');
    writeFiles(run.path, { 'a.txt': 'b' });
    gitIn(run.path, 'commit', '-qam', 'b');
    try {
      gitIn(run.path, 'rebase', '-q', '--exec', 'false', 'HEAD~1');
    } catch {}
    await releaseWorkspace({ ...run, keep: false, now: NOW });
    run.repository.git('checkout', '-q', 'feature/y');
  });

  it('without a sink the worktree stays, on its branch, and is not locked', async () => {
    const run = await preparedWorkspace();
    gitIn(run.path, 'checkout', '-q', '-b', 'feature/y');
    expect(await releaseWorkspace({ ...run, keep: true, now: NOW })).toMatchObject({ type: 'kept' });
    const listed = run.repository.git('worktree', 'list', '--porcelain');
    expect(listed).toContain('branch refs/heads/feature/y');
    expect(listed).not.toContain('locked');
  });

  it('a worktree that an older Mayday left locked in quarantine is let go by the next sweep', async () => {
    const run = await preparedWorkspace();
    gitIn(run.path, 'checkout', '-q', '-b', 'feature/y');
    await releaseWorkspace({ ...run, keep: false, now: NOW });
    const quarantine = join(run.home, 'quarantine/r1');
    gitIn(quarantine, 'checkout', '-q', 'feature/y');
    run.repository.git('worktree', 'lock', quarantine);
    await sweep({ home: run.home, runs: ENDED, now: NOW, policy });
    run.repository.git('checkout', '-q', 'feature/y');
    expect(run.repository.git('worktree', 'list', '--porcelain')).not.toContain('locked');
  });

  it('a workspace that cannot be saved stays where it is, but holds no branch', async () => {
    const run = await preparedWorkspace();
    gitIn(run.path, 'checkout', '-q', '-b', 'feature/y');
    mkdirSync(join(run.path, 'nested'));
    gitIn(join(run.path, 'nested'), 'init', '-q');
    writeFiles(run.path, { 'nested/file': 'x' });
    expect(await releaseWorkspace({ ...run, keep: false, now: NOW })).toMatchObject({ type: 'kept' });
    run.repository.git('checkout', '-q', 'feature/y');
    expect(existsSync(join(run.path, 'nested/file'))).toBe(true);
  });

  it('takes away what a killed process left half-made', async () => {
    const run = await preparedWorkspace();
    const state = join(run.workspace.shadow, 'mayday/r1');
    writeFiles(state, { 'index.0-1.lock': '', 'deliver-x/files/a': '', 'check.json': '{}' });
    await releaseWorkspace({ ...run, keep: false, now: NOW });
    expect(readdirSync(state).toSorted((a, b) => (a < b ? -1 : 1))).toEqual(['exclude', 'index']);
  });

  it('says whether there is work in it, judged against the base', async () => {
    const run = await preparedWorkspace();
    gitIn(run.path, 'commit', '--allow-empty', '-qm', 'nothing');
    const released = await releaseWorkspace({ ...run, keep: false, now: NOW });
    expect(released).toMatchObject({ type: 'quarantined', hasWork: false });
  });
});
