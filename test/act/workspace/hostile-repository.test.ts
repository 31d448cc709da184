import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { verifyWork } from '../../../src/act/checks/verify-work.ts';
import { changesSince } from '../../../src/act/workspace/repository-changes.ts';
import { restoreCheckpoint } from '../../../src/act/checkpoint/restore-checkpoint.ts';
import { sweep } from '../../../src/act/workspace/sweep.ts';
import { takeCheckpoint } from '../../../src/act/checkpoint/take-checkpoint.ts';
import { verifyCheckpoint } from '../../../src/act/checkpoint/verify-checkpoint.ts';
import { DEFAULT_POLICY } from '../../../src/core/vocabulary/policy.ts';
import { gitIn, preparedWorkspace, trap, writeFiles } from '../temporary-repository.ts';

const EVERY_HOOK = [
  'post-checkout',
  'post-index-change',
  'reference-transaction',
  'pre-commit',
  'post-merge',
];
const EVERY_PROGRAM = [
  'core.fsmonitor',
  'core.sshCommand',
  'core.pager',
  'core.editor',
  'core.alternateRefsCommand',
  'diff.external',
  'diff.evil.textconv',
  'diff.evil.command',
  'merge.evil.driver',
  'filter.evil.clean',
  'filter.evil.smudge',
  'filter.evil.process',
  'credential.helper',
  'uploadpack.packObjectsHook',
];

/** Everything in a repository that git would run, pointed at a program that leaves a trace. */
function plant(checkout: string, gitDir: string, program: string): void {
  for (const key of EVERY_PROGRAM) gitIn(checkout, 'config', key, program);
  mkdirSync(join(gitDir, 'hooks'), { recursive: true });
  for (const hook of EVERY_HOOK)
    writeFileSync(join(gitDir, 'hooks', hook), readFileSync(program), { mode: 0o755 });
  mkdirSync(join(gitDir, 'info'), { recursive: true });
  writeFileSync(join(gitDir, 'info/attributes'), '* filter=evil diff=evil merge=evil\n');
}

it('nothing that an agent plants is run by checkpoint, verification, restore, checks or sweep', async () => {
  const run = await preparedWorkspace({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
  const { program, trace } = trap(run.repository.folder);
  plant(run.path, join(run.repository.root, '.git'), program);
  const attributes = '* filter=evil diff=evil merge=evil text=auto ident working-tree-encoding=UTF-16\n';
  writeFiles(run.path, {
    '.gitattributes': attributes,
    'a.txt': 'changed\n',
    'nested/.gitattributes': attributes,
  });
  gitIn(join(run.path, 'nested'), 'init', '-q');
  plant(join(run.path, 'nested'), join(run.path, 'nested/.git'), program);
  writeFiles(run.path, { 'nested/file': '$Id$\n', '.lfsconfig': `[lfs]\n\turl = ${program}\n` });
  const key = { home: run.home, runId: run.runId };
  const saved = await takeCheckpoint({ ...key, number: 1, reason: 'x' });
  expect(saved.files).toBe(6);
  expect((await verifyCheckpoint({ ...key, number: 1 })).holds).toBe(true);
  writeFiles(run.path, { 'a.txt': 'again\n' });
  await restoreCheckpoint({ ...key, number: 1, liveProcesses: 0 });
  expect(readFileSync(join(run.path, 'a.txt'), 'utf8')).toBe('changed\n');
  const { outcomes } = await verifyWork({
    ...key,
    tree: saved.tree,
    commands: ['cat a.txt nested/file'],
    ownedPaths: [],
    setup: null,
    setupTimeoutMs: 60_000,
    ignoredToCopy: ['*.local'],
    nodeModules: 'copy',
    env: { PATH: process.env['PATH'] ?? '' },
    timeoutMs: 120_000,
  });
  expect(outcomes[0]?.output).toBe('changed\n$Id$\n');
  expect((await changesSince(run.workspace, 'prepared')).map(({ name }) => name)).toContain('config');
  await sweep({
    home: run.home,
    runs: new Map([['r1', { ended: true, keep: false, changedAt: 0 }]]),
    now: 1,
    policy: DEFAULT_POLICY,
  });
  expect(existsSync(trace)).toBe(false);
  gitIn(run.repository.root, '-c', 'core.pager=cat', 'status');
  expect(existsSync(trace), 'the trap works').toBe(true);
});

it('a worktree is moved and removed without running what was planted', async () => {
  const run = await preparedWorkspace();
  const { program, trace } = trap(run.repository.folder);
  plant(run.path, join(run.repository.root, '.git'), program);
  const runs = new Map([['r1', { ended: true, keep: false, changedAt: 0 }]]);
  expect((await sweep({ home: run.home, runs, now: 0, policy: DEFAULT_POLICY })).quarantined).toHaveLength(1);
  expect(
    (await sweep({ home: run.home, runs, now: 30 * 86_400_000, policy: DEFAULT_POLICY })).removed,
  ).toHaveLength(1);
  expect(existsSync(trace)).toBe(false);
});
