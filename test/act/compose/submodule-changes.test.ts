/** Submodules that the work moved to another commit, with real git, against an agent that can write everything of the submodule. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { compose } from '../../../src/act/compose/compose.ts';
import { proofOfMoves, submoduleChanges } from '../../../src/act/compose/submodule-changes.ts';
import { commitWork } from '../../../src/act/deliver/commit-work.ts';
import { takeCheckpoint } from '../../../src/act/checkpoint/take-checkpoint.ts';
import { treeChanges } from '../../../src/act/checkpoint/tree-changes.ts';
import { rerunDelivery } from '../../../src/act/rerun-delivery.ts';
import { makeWorkspace } from '../../../src/act/workspace/make-workspace.ts';
import type { RunState } from '../../../src/core/state/run-state.ts';
import { Story } from '../../core/story.ts';
import { gitIn, temporaryRepository, workspaceSpec, writeFiles } from '../temporary-repository.ts';

const WHO = ['-c', 'user.name=T', '-c', 'user.email=t@localhost'];
const OPEN = ['-c', 'protocol.file.allow=always'];

/** `rules` has three commits; the work begins with the second. */
async function withRules() {
  const repository = temporaryRepository({ 'a.txt': 'a\n' });
  const origin = join(repository.folder, 'rules');
  mkdirSync(origin);
  gitIn(origin, 'init', '--quiet', '--initial-branch=main');
  const published = ['first', 'second', 'third'].map((text) => {
    writeFiles(origin, { 'rules.txt': text });
    return commitIn(origin, text);
  });
  repository.git(...OPEN, 'submodule', '--quiet', 'add', origin, 'rules');
  repository.git('-C', 'rules', 'checkout', '--quiet', published[1] ?? '');
  repository.git('commit', '--quiet', '--all', '--message', 'with rules');
  const setup = `git ${OPEN.join(' ')} submodule update --quiet --init`;
  const env = { PATH: process.env['PATH'] ?? '', HOME: repository.folder };
  const workspace = await makeWorkspace(workspaceSpec(repository, { setup, env }));
  const rules = join(workspace.path, 'rules');
  const { home } = repository;
  let number = 0;
  const seen = async () => {
    number += 1;
    const saved = { home, runId: workspace.runId, path: workspace.path, number, reason: 'done' };
    const { tree } = await takeCheckpoint(saved);
    const { moves, foreign } = await submoduleChanges(workspace, tree, {});
    return { tree, moves: Object.fromEntries(moves), foreign: [...foreign] };
  };
  return { repository, workspace, setup, env, origin, rules, published, seen };
}

function commitIn(folder: string, message: string): string {
  gitIn(folder, 'add', '--all');
  gitIn(folder, ...WHO, 'commit', '--quiet', '--message', message);
  return gitIn(folder, 'rev-parse', 'HEAD');
}

const ASKED = { tree: expect.any(String) as string, moves: {}, foreign: ['rules/rules.txt'] };

describe('a submodule at another published commit', () => {
  it.each([
    ['newer', 2],
    ['older', 0],
  ])('is one change: %s', async (_, index) => {
    const { rules, published, seen } = await withRules();
    gitIn(rules, 'checkout', '--quiet', published[index] ?? '');
    expect(await seen()).toMatchObject({
      moves: { rules: published[index] },
      foreign: [],
    });
  });

  it('is delivered as that commit, with the rest of the work, and no question of the gate', async () => {
    const { repository, workspace, rules, published, seen } = await withRules();
    gitIn(rules, 'checkout', '--quiet', published[2] ?? '');
    writeFiles(workspace.path, { 'a.txt': 'more\n' });
    const { tree } = await seen();
    const at = 1_700_000_000_000;
    const baseCommit = workspace.baseCommit ?? '';
    const made = await commitWork({ workspace, tree, baseCommit, parent: baseCommit, message: 'x', at });
    expect(made).toMatchObject({ files: ['a.txt', 'rules'], warnings: [] });
    expect(repository.git('diff-tree', '-r', '--name-only', baseCommit, made.commit)).toBe('a.txt\nrules');
    expect(repository.git('rev-parse', `${made.commit}:rules`)).toBe(published[2]);
    const { state } = new Story({ task: { sink: { type: 'merge', branch: 'main' }, checks: [] } });
    const of = { ...state, workspace: workspace as unknown as NonNullable<RunState['workspace']> };
    const changes = await treeChanges(workspace.shadow, workspace.baseTree, tree);
    const composed = await compose({ state: of, workspace, tree, changes, others: [], at });
    expect(composed).toMatchObject({ facts: { submodules: [] }, moves: new Map([['rules', published[2]]]) });
  });

  it('is compared by verify --rerun, by the hash of its commit', async () => {
    const { repository, workspace, setup, env, rules, published, seen } = await withRules();
    gitIn(rules, 'checkout', '--quiet', published[2] ?? '');
    const { tree } = await seen();
    const { baseTree } = workspace;
    const baseCommit = workspace.baseCommit ?? '';
    const problemsOf = async (rulesCommit: string, scope = ['**']) => {
      repository.git('read-tree', baseCommit);
      repository.git('update-index', '--cacheinfo', `160000,${rulesCommit},rules`);
      const written = repository.git('write-tree');
      const commit = repository.git('commit-tree', written, '-p', baseCommit, '-m', 'x');
      const { root, home } = repository;
      const at = { home, repository: root, commit, baseCommit, baseTree, tree, workspace, scope, folder: '' };
      const equipment = { setup, setupTimeoutMs: 60_000, ignoredToCopy: [], nodeModules: 'setup' } as const;
      const commands = [`test "$(cat rules/rules.txt)" = third`];
      const how = { commands, environment: [], env: { ...process.env, ...env }, timeoutMs: 60_000 };
      const { checks, problems } = await rerunDelivery({ ...at, ...equipment, ...how });
      return { passed: checks.every(({ passed }) => passed), problems };
    };
    expect(await problemsOf(published[2] ?? '')).toEqual({ passed: true, problems: [] });
    expect((await problemsOf(published[2] ?? '', ['a.txt'])).problems).toEqual([
      'outside the scope on record: rules/rules.txt',
    ]);
    for (const other of [published[0] ?? '', 'f'.repeat(40)])
      expect((await problemsOf(other)).problems).toEqual([
        `rules: its commit ${other} is not what was judged, or in no checkout of it`,
      ]);
  });

  it('is proven as far as the least proven of its files', () => {
    const read = { standing: 'read', by: 'make test' } as const;
    const proof = [
      { path: 'a.txt', ...read },
      { path: 'rules/a', ...read },
      { path: 'rules/b', standing: 'unread' },
    ] as const;
    expect(proofOfMoves(proof, new Map([['rules', 'c']]))).toEqual([
      proof[0],
      { path: 'rules', standing: 'unread' },
    ]);
  });
});

describe('a change in a submodule is asked about', () => {
  it('with a commit of the agent, also where its refs say that it was published', async () => {
    const { rules, seen } = await withRules();
    writeFiles(rules, { 'rules.txt': 'mine' });
    const mine = commitIn(rules, 'mine');
    expect(await seen()).toEqual(ASKED);
    gitIn(rules, 'update-ref', 'refs/remotes/origin/main', mine);
    gitIn(rules, 'tag', 'v9');
    expect(await seen()).toEqual(ASKED);
  });

  it('with a published commit and one more edit', async () => {
    const { rules, published, seen } = await withRules();
    gitIn(rules, 'checkout', '--quiet', published[2] ?? '');
    writeFiles(rules, { 'more.txt': 'mine' });
    expect(await seen()).toEqual({ ...ASKED, moves: {}, foreign: ['rules/more.txt', 'rules/rules.txt'] });
  });

  it('with what was published after the agent had started', async () => {
    const { origin, rules, seen } = await withRules();
    writeFiles(origin, { 'rules.txt': 'fourth' });
    const fourth = commitIn(origin, 'fourth');
    gitIn(rules, ...OPEN, 'fetch', '--quiet');
    gitIn(rules, 'checkout', '--quiet', fourth);
    expect(await seen()).toEqual(ASKED);
  });

  it('with an object of the agent in the place of a published commit', async () => {
    const { rules, published, seen } = await withRules();
    writeFiles(rules, { 'rules.txt': 'mine' });
    const mine = commitIn(rules, 'mine');
    const objects = gitIn(rules, 'rev-parse', '--path-format=absolute', '--git-path', 'objects');
    const packs = join(objects, 'pack');
    for (const name of readdirSync(packs)) renameSync(join(packs, name), join(rules, '..', name));
    for (const name of readdirSync(join(rules, '..')).filter((one) => one.endsWith('.pack')))
      execFileSync('sh', ['-c', `git unpack-objects -q < ../${name}`], { cwd: rules });
    const tip = published[2] ?? '';
    const tree = gitIn(rules, 'rev-parse', `${mine}^{tree}`);
    const content = `tree ${tree}\nparent ${mine}\nauthor T <t@localhost> 1 +0000\ncommitter T <t@localhost> 1 +0000\n\nx\n`;
    const bytes = Buffer.from(`commit ${content.length}\0${content}`);
    expect(createHash('sha1').update(bytes).digest('hex')).not.toBe(tip);
    const place = join(objects, tip.slice(0, 2), tip.slice(2));
    if (existsSync(place)) chmodSync(place, 0o644);
    writeFileSync(place, deflateSync(bytes));
    writeFileSync(gitIn(rules, 'rev-parse', '--path-format=absolute', '--git-path', 'HEAD'), `${tip}\n`);
    expect(gitIn(rules, 'rev-parse', 'HEAD')).toBe(tip);
    expect(await seen()).toEqual(ASKED);
  });

  it('with the folder of another repository in its place', async () => {
    const { repository, rules, seen } = await withRules();
    const other = join(repository.folder, 'other');
    mkdirSync(other);
    gitIn(other, 'init', '--quiet');
    writeFiles(other, { 'rules.txt': 'mine' });
    commitIn(other, 'mine');
    writeFiles(rules, { '.git': `gitdir: ${join(other, '.git')}\n`, 'rules.txt': 'mine' });
    expect(await seen()).toEqual(ASKED);
  });
});
