import { execFileSync, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { deliverBranch } from '../../../src/act/deliver/deliver-branch.ts';
import { deliverNone } from '../../../src/act/deliver/deliver-none.ts';
import { takeCheckpoint } from '../../../src/act/checkpoint/take-checkpoint.ts';
import { makeWorkspace } from '../../../src/act/workspace/make-workspace.ts';
import {
  gitIn,
  preparedWorkspace,
  temporaryFolder,
  temporaryRepository,
  trap,
  workspaceSpec,
  writeFiles,
} from '../temporary-repository.ts';

type Prepared = Awaited<ReturnType<typeof preparedWorkspace>>;

async function save(run: Prepared, number: number) {
  const { tree } = await takeCheckpoint({ ...run, number, reason: 'test' });
  return tree;
}

async function deliver(run: Prepared, tree: string, more = {}) {
  return await deliverBranch({
    home: run.home,
    runId: run.runId,
    branch: 'mayday/r1',
    tree,
    message: 'Add work\n\nBecause.',
    at: 1_700_000_000_000,
    ...more,
  });
}

async function working(files?: Readonly<Record<string, string>>) {
  const run = await preparedWorkspace(files);
  writeFiles(run.path, { 'new.txt': 'new\n' });
  return { run, tree: await save(run, 1) };
}

describe('delivery to a branch', () => {
  it('makes one commit on the base, by the person, and leaves the checkout alone', async () => {
    const { run, tree } = await working({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    writeFiles(run.repository.root, { 'dirty.txt': 'mine' });
    writeFiles(run.path, { 'a.txt': 'changed\n' });
    rmSync(join(run.path, 'b.txt'));
    const done = await deliver(run, await save(run, 2));
    expect(done).toMatchObject({ type: 'delivered', ref: 'mayday/r1', files: ['a.txt', 'b.txt', 'new.txt'] });
    const { git } = run.repository;
    expect(git('log', '--format=%an <%ae> %ct %s', 'main..mayday/r1')).toBe(
      'Pat <pat@example.com> 1700000000 Add work',
    );
    expect(git('log', '-1', '--format=%(trailers:key=Mayday-Run)', 'mayday/r1')).toBe('Mayday-Run: r1');
    expect(git('diff', '--name-status', 'main', 'mayday/r1')).toBe('M\ta.txt\nD\tb.txt\nA\tnew.txt');
    expect(git('status', '--porcelain')).toBe('?? dirty.txt');
    expect(git('symbolic-ref', 'HEAD')).toBe('refs/heads/main');
    expect(git('fsck', '--strict')).toBe('');
    expect(tree).not.toBe('');
  });

  it.each(['HEAD', 'refs/heads/x', 'main'])(
    'is refused for %s, also where an answer to a question names it',
    async (branch) => {
      const { run, tree } = await working();
      // Ours by its own words: the base branch itself carries a delivery's trailer.
      run.repository.git('commit', '--allow-empty', '-qm', 'x\n\nMayday-Run: r1');
      const before = run.repository.git('for-each-ref', 'refs/heads');
      expect(await deliver(run, tree, { branch })).toMatchObject({ type: 'blocked' });
      expect(run.repository.git('for-each-ref', 'refs/heads')).toBe(before);
    },
  );

  it('looked at again is the same commit; a newer tree follows a recorded delivery as a descendant', async () => {
    const { run, tree } = await working();
    const first = await deliver(run, tree);
    expect(await deliver(run, tree)).toEqual(first);
    expect(run.repository.git('rev-list', '--count', 'main..mayday/r1')).toBe('1');
    const earlier = [run.repository.git('rev-parse', 'mayday/r1')];
    expect(await deliver(run, tree, { earlier, at: 1_800_000_000_000 })).toEqual(first);
    writeFiles(run.path, { 'more.txt': 'more' });
    const second = await deliver(run, await save(run, 2), { earlier });
    expect(second).toMatchObject({ type: 'delivered', files: ['more.txt', 'new.txt'] });
    expect(run.repository.git('rev-list', '--count', 'main..mayday/r1')).toBe('2');
    // The keeper died before it wrote down that it was delivered.
    expect(await deliver(run, await save(run, 2), { earlier })).toEqual(second);
  });

  it('does not take a branch for its own because a commit says so', async () => {
    const { run, tree } = await working();
    const { git } = run.repository;
    writeFiles(run.path, { 'out-of-scope.txt': 'x' });
    gitIn(run.path, 'add', '--all');
    gitIn(run.path, 'commit', '-qm', 'hidden below\n\nMayday-Run: r1');
    gitIn(run.path, 'update-ref', 'refs/heads/mayday/r1', 'HEAD');
    const planted = git('rev-parse', 'mayday/r1');
    expect(await deliver(run, tree)).toMatchObject({ type: 'blocked', blocker: { code: 'sink_drifted' } });
    expect(git('rev-parse', 'mayday/r1')).toBe(planted);
  });

  it('does not touch a branch that is not its own', async () => {
    const { run, tree } = await working();
    run.repository.git('branch', 'mayday/r1');
    const done = await deliver(run, tree);
    expect(done).toMatchObject({
      type: 'blocked',
      blocker: {
        code: 'sink_drifted',
        stage: 'materialize',
        resolutions: ['fix_sink', 'choose_patch_output', 'abandon'],
      },
    });
    expect(run.repository.git('rev-parse', 'mayday/r1')).toBe(run.workspace.baseCommit);
  });

  it('does not move its branch under a checkout', async () => {
    const { run, tree } = await working();
    await deliver(run, tree);
    run.repository.git('checkout', '-q', 'mayday/r1');
    writeFiles(run.path, { 'more.txt': 'more' });
    const earlier = [run.repository.git('rev-parse', 'HEAD')];
    const done = await deliver(run, await save(run, 2), { earlier });
    expect(done).toMatchObject({ type: 'blocked', blocker: { code: 'sink_drifted' } });
    expect(run.repository.git('status', '--porcelain')).toBe('');
  });

  it('does not move its branch under a checkout that is made while the work is committed', async () => {
    const repository = temporaryRepository({ '.gitattributes': '*.slow filter=slow\n' });
    // A filter of the person runs while the work is committed.
    const now = join(repository.folder, 'now');
    const checkOut = `[ ! -e '${now}' ] || { rm '${now}'; env -i PATH="$PATH" git -C '${repository.root}' checkout -q mayday/r1; }`;
    repository.git('config', 'filter.slow.clean', `cat; ${checkOut} >&2`);
    const workspace = await makeWorkspace(workspaceSpec(repository));
    const run = { repository, workspace, home: repository.home, runId: 'r1', path: workspace.path };
    writeFiles(run.path, { 'new.txt': 'new\n' });
    await deliver(run, await save(run, 1));
    const earlier = [repository.git('rev-parse', 'mayday/r1')];
    writeFiles(run.path, { 'more.slow': 'more\n' });
    const tree = await save(run, 2);
    writeFileSync(now, '');
    const done = await deliver(run, tree, { earlier });
    expect(repository.git('rev-parse', '--abbrev-ref', 'HEAD')).toBe('mayday/r1');
    expect(done).toMatchObject({ type: 'blocked', blocker: { code: 'sink_drifted' } });
    expect(repository.git('status', '--porcelain')).toBe('');
  });

  it.each([
    ['a log', 'logs/refs/heads/mayday/r1'],
    ['a folder of logs', 'logs/refs/heads/mayday'],
    ['a branch', 'refs/heads/mayday/r1'],
    ['a folder of branches', 'refs/heads/mayday'],
  ])('does not write through the link that an agent made of %s', async (_, name) => {
    const { run, tree } = await working();
    const place = join(run.repository.root, '.git', name);
    const elsewhere = join(run.repository.root, '../elsewhere');
    mkdirSync(dirname(place), { recursive: true });
    mkdirSync(elsewhere, { recursive: true });
    symlinkSync(join(elsewhere, 'x'), place);
    expect(await deliver(run, tree)).toMatchObject({
      type: 'blocked',
      blocker: { code: 'sink_not_writable' },
    });
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  it('does not take the object that an agent put in the place of one that it delivers', async () => {
    const { run, tree } = await working();
    const { git, root } = run.repository;
    const id = gitIn(run.path, 'hash-object', 'new.txt');
    const place = join(root, '.git/objects', id.slice(0, 2), id.slice(2));
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, deflateSync(Buffer.from('blob 5\0evil\n')));
    expect(await deliver(run, tree)).toMatchObject({
      type: 'blocked',
      blocker: { code: 'sink_not_writable' },
    });
    expect(git('for-each-ref', 'refs/heads/mayday')).toBe('');
  });

  it('names a sink that cannot be written', async () => {
    const { run, tree } = await working();
    run.repository.git('branch', 'mayday');
    expect(await deliver(run, tree)).toMatchObject({ blocker: { code: 'sink_not_writable' } });
    expect(await deliver(run, tree, { branch: '-x' })).toMatchObject({
      blocker: { code: 'sink_not_writable' },
    });
    expect(await deliver(run, tree, { branch: 'a..b' })).toMatchObject({
      blocker: { code: 'sink_not_writable' },
    });
    rmSync(join(run.repository.root, '.git'), { recursive: true });
    expect(await deliver(run, tree)).toMatchObject({ blocker: { code: 'sink_not_writable' } });
    expect(await takeCheckpoint({ ...run, number: 2, reason: 'still there' })).toMatchObject({ tree });
  });

  it('waits for another git that holds the lock of the branch, and names a lock that nobody lets go', async () => {
    const { run, tree } = await working();
    const lock = join(run.repository.root, '.git/refs/heads/mayday/r1.lock');
    mkdirSync(dirname(lock), { recursive: true });
    writeFileSync(lock, '');
    const holder = spawn('sh', ['-c', `sleep 1; rm '${lock}'`]);
    expect(await deliver(run, tree)).toMatchObject({ type: 'delivered' });
    expect(holder.exitCode, 'the holder let go by itself').not.toBeNull();
    const stale = join(run.repository.root, '.git/refs/heads/mayday/r2.lock');
    writeFileSync(stale, '');
    const blocked = await deliver(run, tree, { branch: 'mayday/r2' });
    expect(blocked).toMatchObject({ blocker: { code: 'sink_not_writable' } });
    expect(JSON.stringify(blocked)).toContain('r2.lock');
    rmSync(stale);
    expect(await deliver(run, tree, { branch: 'mayday/r2' })).toMatchObject({ type: 'delivered' });
  });

  it('names a base that is gone', async () => {
    const { run, tree } = await working();
    rmSync(join(run.repository.root, '.git'), { recursive: true });
    gitIn(run.repository.root, 'init', '-q');
    expect(await deliver(run, tree)).toMatchObject({ blocker: { code: 'sink_drifted' } });
  });

  it('has no branch to offer without git, and says so', async () => {
    const folder = temporaryFolder();
    const root = join(folder, 'plain');
    mkdirSync(root);
    writeFiles(root, { a: 'a' });
    const home = join(folder, 'home');
    const workspace = await makeWorkspace(workspaceSpec({ home, root }));
    expect(workspace).toMatchObject({ kind: 'plain', path: root, baseCommit: null });
    writeFiles(root, { b: 'b' });
    const { tree } = await takeCheckpoint({ home, runId: 'r1', number: 1, reason: 'x' });
    expect(await deliver({ home, runId: 'r1' } as Prepared, tree)).toMatchObject({
      blocker: { code: 'sink_not_writable' },
    });
    expect(await deliverNone({ home, runId: 'r1', tree })).toMatchObject({ ref: root, files: ['b'] });
  });

  it('brings the uncommitted changes along as a commit of their own', async () => {
    const repository = temporaryRepository({ 'a.txt': 'a\n' });
    repository.write({ 'a.txt': 'half done\n', 'untracked.txt': 'u' });
    const workspace = await makeWorkspace(workspaceSpec(repository, { includeDirty: true }));
    expect(readFileSync(join(workspace.path, 'a.txt'), 'utf8')).toBe('half done\n');
    expect(repository.git('status', '--porcelain')).toBe('M a.txt\n?? untracked.txt');
    writeFiles(workspace.path, { 'b.txt': 'b' });
    const run = { repository, workspace, home: repository.home, runId: 'r1', path: workspace.path };
    const done = await deliver(run, await save(run, 1));
    expect(done).toMatchObject({ files: ['b.txt'] });
    expect(repository.git('log', '--format=%s', 'main..mayday/r1')).toBe(
      'Add work\nUncommitted changes at the start of run r1',
    );
  });
});

describe('the person’s conversions', () => {
  it('apply as recorded before the agent started', async () => {
    const repository = temporaryRepository({
      '.gitattributes': '*.txt text eol=crlf\n*.big filter=pack\n',
      'a.txt': 'a\n',
    });
    repository.git('config', 'filter.pack.clean', 'tr a-z A-Z');
    repository.git('config', 'filter.pack.smudge', 'tr A-Z a-z');
    repository.write({ 'x.big': 'content\n' });
    repository.git('add', '.');
    repository.git('commit', '-qm', 'big');
    const workspace = await makeWorkspace(workspaceSpec(repository));
    expect(readFileSync(join(workspace.path, 'x.big'), 'utf8')).toBe('content\n');
    writeFiles(workspace.path, { 'n.txt': 'one\r\ntwo\r\n', 'y.big': 'new\n' });
    const run = { repository, workspace, home: repository.home, runId: 'r1', path: workspace.path };
    expect(await deliver(run, await save(run, 1))).toMatchObject({ files: ['n.txt', 'y.big'] });
    expect(execFileSync('git', ['show', 'mayday/r1:n.txt'], { cwd: repository.root, encoding: 'utf8' })).toBe(
      'one\ntwo\n',
    );
    expect(repository.git('show', 'mayday/r1:y.big')).toBe('NEW');
    expect(repository.git('show', 'mayday/r1:x.big')).toBe('CONTENT');
  });

  it('planted afterwards are not run', async () => {
    const { run } = await working({ '.gitattributes': '', 'a.txt': 'a\n' });
    const { program, trace } = trap(run.repository.folder);
    const { git } = run.repository;
    for (const key of [
      'core.fsmonitor',
      'core.sshCommand',
      'filter.evil.clean',
      'filter.evil.smudge',
      'diff.external',
      'core.pager',
      'gpg.program',
      'core.alternateRefsCommand',
    ])
      git('config', key, program);
    git('config', 'commit.gpgSign', 'true');
    const hooks = join(run.repository.root, '.git/hooks');
    mkdirSync(hooks, { recursive: true });
    for (const hook of [
      'reference-transaction',
      'post-index-change',
      'post-checkout',
      'pre-commit',
      'post-commit',
    ])
      writeFileSync(join(hooks, hook), readFileSync(program), { mode: 0o755 });
    writeFiles(run.path, { '.gitattributes': '* filter=evil diff=evil\n', 'b.txt': 'b\n' });
    const done = await deliver(run, await save(run, 2));
    expect(done).toMatchObject({ type: 'delivered' });
    await deliver(run, await save(run, 2));
    expect(existsSync(trace)).toBe(false);
  });
});
