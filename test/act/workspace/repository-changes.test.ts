/** The person's repository while an agent works: whatever changes in it is told by its name; a person's own work is no question. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { unexplainedChanges } from '../../../src/act/compose/unexplained-changes.ts';
import { runStatePath } from '../../../src/act/workspace/home-layout.ts';
import { makeWorkspace } from '../../../src/act/workspace/make-workspace.ts';
import { releaseWorkspace } from '../../../src/act/workspace/release-workspace.ts';
import { changeLines, changesSince, keepDigest } from '../../../src/act/workspace/repository-changes.ts';
import { repositoryDigest } from '../../../src/act/workspace/repository-digest.ts';
import type { Workspace } from '../../../src/act/workspace/workspace.ts';
import {
  gitIn,
  preparedWorkspace,
  temporaryRepository,
  workspaceSpec,
  writeFiles,
} from '../temporary-repository.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'mayday-test-')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A person with a remote, a submodule, a stash, a second checkout, and an agent that is about to start. */
const make = async () => {
  const repository = temporaryRepository({ 'a.txt': 'a\n', 'b.txt': 'b\n' }, folder);
  const { git, root } = repository;
  const remote = join(folder, 'remote.git');
  git('clone', '--quiet', '--bare', root, remote);
  git('remote', 'add', 'origin', remote);
  git('fetch', '--quiet', 'origin');
  git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', remote, 'lib');
  git('commit', '--quiet', '--message', 'lib');
  git('branch', 'feature');
  git('branch', 'mayday/r0');
  git('tag', 'v1');
  git('worktree', 'add', '--quiet', join(folder, 'second'), '-b', 'other');
  writeFiles(root, { 'a.txt': 'stashed\n' });
  git('stash', '--quiet');
  writeFiles(root, { 'b.txt': 'being edited\n' });
  const workspace = await makeWorkspace(workspaceSpec(repository));
  // The log of HEAD knows seconds.
  const later = (Math.floor(Date.now() / 1000) + 1) * 1000;
  while (Date.now() < later) await new Promise(setImmediate);
  mkdirSync(join(folder, 'kept/home'), { recursive: true });
  for (const part of PARTS) execFileSync('cp', ['-a', join(folder, part), `${join(folder, 'kept')}/${part}`]);
  return { ...repository, remote, workspace, dotGit: join(root, '.git') };
};
let making: ReturnType<typeof make> | undefined;
const PARTS = ['project', 'second', 'remote.git', 'home/work'];

/** As it was, for each test. */
async function begun() {
  const run = await (making ??= make());
  const parts = [...PARTS, 'else', 'third', 'mine'].join(' ');
  execFileSync('sh', ['-c', `rm -rf ${parts} && cp -a kept/. . && git -C project status`], { cwd: folder });
  for (const moment of ['prepared', 'started'] as const) await keepDigest(run.workspace, moment);
  return { ...run, since: Date.now() };
}
type Begun = Awaited<ReturnType<typeof begun>>;

async function told(workspace: Workspace): Promise<string> {
  return changeLines(workspace, await changesSince(workspace, 'started')).join('\n');
}

async function asked({ workspace, since }: Begun): Promise<string[]> {
  return (await unexplainedChanges(workspace, { since })).map(({ name }) => name);
}

function commitOf(run: Begun): string {
  return gitIn(run.workspace.path, 'commit-tree', 'HEAD^{tree}', '-m', 'of the agent');
}

function inGit({ dotGit }: Begun, name: string, text: string): void {
  const path = join(dotGit, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, 'latin1');
}

const OBJECT = 'ab/cdef0123456789abcdef0123456789abcdef01';

function deflated(text: string): string {
  return deflateSync(Buffer.from(`blob ${text.length}\0${text}`)).toString('latin1');
}

function objectOf({ git, dotGit }: Begun, name: string): string {
  const id = git('rev-parse', name);
  return join(dotGit, 'objects', id.slice(0, 2), id.slice(2));
}

function linkObject(run: Begun): void {
  inGit(run, `objects/${OBJECT}`, '');
  rmSync(join(run.dotGit, `objects/${OBJECT}`));
  symlinkSync('/etc/passwd', join(run.dotGit, `objects/${OBJECT}`));
}

function forgeBase(run: Begun): void {
  const path = objectOf(run, 'HEAD:a.txt');
  rmSync(path);
  writeFileSync(path, deflated('evil\n'), 'latin1');
}

function moveObjects(run: Begun): void {
  const folder = dirname(objectOf(run, 'HEAD'));
  renameSync(folder, join(dirname(folder), OBJECT.slice(0, 2)));
}

function forgePack({ git, dotGit }: Begun): void {
  git('repack', '--quiet');
  const [pack = ''] = globSync(join(dotGit, 'objects/pack/*.pack'));
  const bytes = readFileSync(pack);
  bytes[20] = (bytes[20] ?? 0) ^ 1;
  rmSync(pack);
  writeFileSync(pack, bytes);
}

type Attack = readonly [what: string, attack: (run: Begun) => unknown, named: string, isAsked: boolean];

describe('what an agent changes in the person’s repository', () => {
  it.each<Attack>([
    ['grafts', (run) => inGit(run, 'info/grafts', `${run.git('rev-parse', 'HEAD')}\n`), 'info/grafts', true],
    [
      'a shallow border',
      (run) => inGit(run, 'shallow', `${run.git('rev-parse', 'HEAD')}\n`),
      'shallow',
      true,
    ],
    ['where HEAD leads', ({ git }) => git('symbolic-ref', 'HEAD', 'refs/heads/feature'), 'HEAD', true],
    ['HEAD itself', (run) => inGit(run, 'HEAD', `${commitOf(run)}\n`), 'HEAD', true],
    [
      'a merge that was not begun',
      (run) => inGit(run, 'MERGE_HEAD', `${commitOf(run)}\n`),
      'MERGE_HEAD',
      true,
    ],
    ['a pick', (run) => inGit(run, 'CHERRY_PICK_HEAD', `${commitOf(run)}\n`), 'CHERRY_PICK_HEAD', true],
    ['a revert', (run) => inGit(run, 'REVERT_HEAD', `${commitOf(run)}\n`), 'REVERT_HEAD', true],
    ['a rebase', (run) => inGit(run, 'rebase-merge/git-rebase-todo', 'exec evil\n'), 'rebase-merge/', true],
    ['a sequence', (run) => inGit(run, 'sequencer/todo', 'pick x\n'), 'sequencer/todo', true],
    ['a bisection', (run) => inGit(run, 'BISECT_START', 'main\n'), 'BISECT_START', true],
    ['exclude', (run) => inGit(run, 'info/exclude', '*\n'), 'info/exclude', true],
    ['attributes', (run) => inGit(run, 'info/attributes', '* filter=x\n'), 'info/attributes', true],
    ['sparse patterns', (run) => inGit(run, 'info/sparse-checkout', '/a\n'), 'info/sparse-checkout', true],
    ['alternates', (run) => inGit(run, 'objects/info/alternates', '/x\n'), 'objects/info/alternates', true],
    ['an object of the base', forgeBase, 'objects/', true],
    [
      'an object that is not there yet',
      (run) => inGit(run, `objects/${OBJECT}`, deflated('evil')),
      OBJECT,
      true,
    ],
    ['an object that is no file', linkObject, OBJECT, true],
    ['a folder of objects under another name', moveObjects, 'objects/', true],
    ['a pack', forgePack, 'objects/pack/', true],
    [
      'where a log leads',
      ({ dotGit }) => symlinkSync('/x', join(dotGit, 'logs/refs/heads/new')),
      'logs/refs/heads/new',
      true,
    ],
    [
      'a log that is gone',
      ({ dotGit }) => rmSync(join(dotGit, 'logs/refs/heads/main')),
      'log: logs/refs/heads/main',
      false,
    ],
    [
      'a log that was written anew',
      (run) => inGit(run, 'logs/HEAD', `${'x'.repeat(5000)}\n`),
      'log: logs/HEAD',
      false,
    ],
    [
      'a log of a second checkout',
      (run) => inGit(run, 'worktrees/second/logs/HEAD', ''),
      'log: worktrees/second//',
      false,
    ],
    ['the remote', ({ git }) => git('config', 'remote.origin.url', '/x'), 'config', true],
    ['config.worktree', (run) => inGit(run, 'config.worktree', '[core]\n'), 'config.worktree', true],
    ['a hook', (run) => inGit(run, 'hooks/pre-push', 'evil\n'), 'hooks/pre-push', true],
    [
      'its own .git',
      ({ workspace }) => writeFiles(workspace.path, { '.git': 'gitdir: /x\n' }),
      '(workspace)/.git',
      true,
    ],
    [
      'assume-unchanged',
      ({ git }) => git('update-index', '--assume-unchanged', 'a.txt'),
      'index:a.txt',
      true,
    ],
    ['skip-worktree', ({ git }) => git('update-index', '--skip-worktree', 'a.txt'), 'index:a.txt', true],
    [
      'notes',
      ({ workspace }) => gitIn(workspace.path, 'notes', 'add', '-m', 'reviewed'),
      'refs/notes/commits',
      true,
    ],
    ['a replaced object', (run) => run.git('replace', 'HEAD', commitOf(run)), 'refs/replace/', true],
    [
      'a branch',
      (run) => run.git('update-ref', 'refs/heads/feature', commitOf(run)),
      'refs/heads/feature',
      true,
    ],
    ['a tag', (run) => run.git('update-ref', 'refs/tags/v1', commitOf(run)), 'refs/tags/v1', true],
    [
      'the pointer of a checkout',
      (run) => inGit(run, 'worktrees/second/gitdir', '/x\n'),
      'worktrees/second//gitdir',
      true,
    ],
    [
      'HEAD of a second checkout',
      (run) => inGit(run, 'worktrees/second/HEAD', `${commitOf(run)}\n`),
      'worktrees/second//HEAD',
      true,
    ],
    [
      'a hook of a submodule',
      (run) => inGit(run, 'modules/lib/hooks/post-checkout', 'x'),
      'modules/lib//hooks/post-checkout',
      true,
    ],
    [
      'a setting of a submodule',
      (run) => inGit(run, 'modules/lib/config', '[core]\n'),
      'modules/lib//config',
      true,
    ],
    [
      'a hook of a new submodule',
      (run) => {
        inGit(run, 'modules/new/hooks/post-checkout', 'x');
        inGit(run, 'modules/new/HEAD', 'ref: refs/heads/main\n');
      },
      'modules/new',
      true,
    ],
    [
      'a branch that another run delivered',
      (run) => {
        run.git('update-ref', 'refs/heads/mayday/r0', commitOf(run));
      },
      'refs/heads/mayday/r0',
      true,
    ],
    [
      'a branch of a remote',
      (run) => run.git('update-ref', 'refs/remotes/origin/main', commitOf(run)),
      'refs/remotes/origin/main',
      false,
    ],
    ['the stash', ({ git }) => git('stash', 'drop', '--quiet'), 'refs/stash', false],
    ['what is below in the stash', (run) => inGit(run, 'logs/refs/stash', ''), 'logs/refs/stash', false],
    [
      'a ref of another kind',
      (run) => run.git('update-ref', 'refs/pull/1', commitOf(run)),
      'refs/pull/1',
      false,
    ],
    ['ORIG_HEAD', (run) => inGit(run, 'ORIG_HEAD', `${commitOf(run)}\n`), 'ORIG_HEAD', false],
    ['FETCH_HEAD', (run) => inGit(run, 'FETCH_HEAD', `${commitOf(run)}\n`), 'FETCH_HEAD', false],
    [
      'what is staged',
      ({ git, workspace }) => {
        const id = gitIn(workspace.path, 'hash-object', '-w', '--', 'b.txt');
        git('update-index', '--cacheinfo', `100644,${id},a.txt`);
      },
      'index: a.txt',
      false,
    ],
    ['a file of the checkout', ({ root }) => writeFiles(root, { 'a.txt': 'x\n' }), 'checkout: a.txt', false],
    [
      'a file that the person edits',
      ({ root }) => writeFiles(root, { 'b.txt': 'being defaced\n' }),
      'checkout: b.txt',
      false,
    ],
    ['a file deleted from the checkout', ({ root }) => rmSync(join(root, 'a.txt')), 'checkout: a.txt', false],
    ['a lock that it leaves', (run) => inGit(run, 'index.lock', ''), 'index.lock', false],
    [
      'a checkout of its own',
      ({ workspace, folder }) =>
        gitIn(workspace.path, 'worktree', 'add', '-q', '--detach', join(folder, 'mine')),
      'new folders: worktrees/mine',
      false,
    ],
    [
      'the second checkout, removed',
      ({ git, folder }) => git('worktree', 'remove', join(folder, 'second')),
      'deleted folders: worktrees/second',
      false,
    ],
  ])('tells %s', async (_, attack, named, isAsked) => {
    const run = await begun();
    expect(await told(run.workspace)).toBe('');
    expect(await asked(run)).toEqual([]);
    attack(run);
    expect(await told(run.workspace)).toContain(named);
    const questions = await asked(run);
    if (isAsked) expect(questions.join()).toContain(named);
    else expect(questions).toEqual([]);
  });

  it('is undone by the commands that are told', async () => {
    const run = await begun();
    const commit = commitOf(run);
    run.git('config', 'core.fsmonitor', '/x');
    inGit(run, 'hooks/pre-push', 'evil\n');
    inGit(run, 'MERGE_HEAD', `${commit}\n`);
    run.git('update-index', '--assume-unchanged', 'a.txt');
    run.git('symbolic-ref', 'HEAD', 'refs/heads/feature');
    run.git('update-ref', 'refs/heads/main', commit);
    run.git('replace', commit, 'HEAD');
    inGit(run, 'worktrees/second/HEAD', `${commit}\n`);
    const found = await unexplainedChanges(run.workspace, { since: run.since });
    expect(found.map(({ undo }) => undo)).toContainEqual(
      expect.stringContaining('(it now says: fsmonitor = /x)'),
    );
    for (const { undo } of found)
      execFileSync('sh', ['-c', `${undo}`.replace(/ \(it now says.*/, '')], { cwd: run.root });
    expect(await asked(run)).toEqual([]);
    expect(await told(run.workspace)).toBe('');
  });
});

describe('a person who works meanwhile', () => {
  const commit = ({ root, git }: Begun) => {
    writeFiles(root, { 'a.txt': 'better\n' });
    git('commit', '--quiet', '--all', '--message', 'better');
  };
  it.each<readonly [what: string, work: (run: Begun) => unknown, named: readonly string[]]>([
    ['commits', commit, ['refs/heads/main changed from', 'COMMIT_EDITMSG', 'index: a.txt']],
    [
      'makes a branch and goes there',
      ({ git }) => git('checkout', '--quiet', '-b', 'mine'),
      ['refs/heads/mine is new', 'HEAD changed from'],
    ],
    [
      'goes to another branch',
      ({ git }) => {
        git('stash', '--quiet');
        git('checkout', '--quiet', 'feature');
      },
      ['HEAD changed from'],
    ],
    [
      'fetches',
      ({ git, remote, folder }) => {
        git('clone', '--quiet', remote, join(folder, 'else'));
        const there = (...args: string[]) =>
          gitIn(join(folder, 'else'), '-c', 'user.name=E', '-c', 'user.email=e@x', ...args);
        there('commit', '--quiet', '--allow-empty', '--message', 'theirs');
        there('push', '--quiet', 'origin', 'HEAD');
        git('fetch', '--quiet', 'origin');
      },
      ['refs/remotes/origin/main changed from', 'FETCH_HEAD'],
    ],
    ['stashes', ({ git }) => git('stash', '--quiet'), ['refs/stash changed from', 'checkout: b.txt']],
    [
      'takes from the stash',
      ({ git }) => {
        git('checkout', '--quiet', '--', 'b.txt');
        git('stash', 'pop', '--quiet');
      },
      ['refs/stash is gone', 'checkout: a.txt, b.txt'],
    ],
    [
      'rebases',
      (run) => {
        commit({
          ...run,
          root: join(run.folder, 'second'),
          git: (...args) => gitIn(join(run.folder, 'second'), ...args),
        });
        run.git('stash', '--quiet');
        writeFiles(run.root, { 'new.txt': 'x\n' });
        run.git('add', 'new.txt');
        run.git('commit', '--quiet', '--message', 'mine');
        run.git('rebase', '--quiet', 'other');
      },
      ['refs/heads/main changed from', 'refs/heads/other changed from', 'ORIG_HEAD'],
    ],
    [
      'stops in a rebase with a conflict',
      (run) => {
        commit({
          ...run,
          root: join(run.folder, 'second'),
          git: (...args) => gitIn(join(run.folder, 'second'), ...args),
        });
        run.git('stash', '--quiet');
        writeFiles(run.root, { 'a.txt': 'other\n' });
        run.git('commit', '--quiet', '--all', '--message', 'mine');
        expect(() => run.git('rebase', '--quiet', 'other')).toThrow();
      },
      ['HEAD changed from ref: refs/heads/main', 'rebase-merge/'],
    ],
    [
      'stops in a merge with a conflict',
      (run) => {
        commit({
          ...run,
          root: join(run.folder, 'second'),
          git: (...args) => gitIn(join(run.folder, 'second'), ...args),
        });
        run.git('stash', '--quiet');
        writeFiles(run.root, { 'a.txt': 'other\n' });
        run.git('commit', '--quiet', '--all', '--message', 'mine');
        expect(() => run.git('merge', '--quiet', 'other')).toThrow();
      },
      ['MERGE_HEAD is new'],
    ],
    ['has git collect garbage', ({ git }) => git('gc', '--quiet'), ['files: info/refs']],
    ['packs refs', ({ git }) => git('pack-refs', '--all'), []],
    [
      'adds a worktree',
      ({ git, folder }) => git('worktree', 'add', '--quiet', '-b', 'third', join(folder, 'third')),
      ['refs/heads/third is new', 'new folders: worktrees/third'],
    ],
    [
      'sets a name',
      ({ git }) => git('config', 'user.name', 'Patricia'),
      ['config changed', 'name = Patricia'],
    ],
    [
      'brings a submodule to its commit',
      ({ git, root }) => {
        const lib = join(root, 'lib');
        gitIn(
          lib,
          '-c',
          'user.name=P',
          '-c',
          'user.email=p@x',
          'commit',
          '--quiet',
          '--allow-empty',
          '--message',
          'x',
        );
        git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'update');
      },
      ['modules/lib//HEAD changed from'],
    ],
    [
      'stages and edits',
      ({ root, git }) => {
        git('add', 'b.txt');
        writeFiles(root, { 'b.txt': 'edited on\n' });
      },
      ['index: b.txt', 'checkout: b.txt'],
    ],
    ['looks at the status', ({ git }) => git('status'), []],
  ])('%s', async (what, work, named) => {
    const run = await begun();
    work(run);
    const text = await told(run.workspace);
    for (const name of named) expect(text).toContain(name);
    if (named.length === 0) expect(text).toBe('');
    // As before: a setting of git is always asked about.
    expect(await asked(run)).toEqual(what === 'sets a name' ? ['config'] : []);
  });
});

describe('the digest', () => {
  it('waits for no pipe, reads no huge file and follows no link', async () => {
    const run = await begun();
    const { dotGit, folder } = run;
    for (const name of [
      'index',
      'packed-refs',
      'config',
      'hooks/pre-commit',
      'logs/HEAD',
      'worktrees/second/gitdir',
      'info/grafts',
    ]) {
      rmSync(join(dotGit, name), { force: true });
      execFileSync('mkfifo', [join(dotGit, name)]);
    }
    writeFileSync(join(dotGit, 'shallow'), '');
    truncateSync(join(dotGit, 'shallow'), 2 ** 40);
    const elsewhere = join(folder, 'elsewhere');
    mkdirSync(elsewhere);
    writeFiles(elsewhere, { HEAD: 'ref: x\n', 'deep/file': 'x' });
    symlinkSync(elsewhere, join(dotGit, 'modules/linked'));
    symlinkSync(elsewhere, join(dotGit, 'info/linked'));
    symlinkSync('/', join(dotGit, 'everything'));
    const digest = await repositoryDigest(run.workspace);
    expect(
      [...digest.keys()].filter((name) => name.includes('linked') || name.includes('everything')),
    ).toEqual(expect.arrayContaining(['everything', 'info/linked', 'modules/linked']));
    expect([...digest.keys()].some((name) => name.includes('deep'))).toBe(false);
    expect((await unexplainedChanges(run.workspace, { since: run.since })).map(({ name }) => name)).toContain(
      'shallow',
    );
    expect(await told(run.workspace)).toContain('info/grafts is new');
  });

  it.each([2, 3, 4])('reads an index of version %i', async (version) => {
    const run = await preparedWorkspace({ 'a/b/one.txt': '1', 'a/b/two.txt': '2', 'ü.txt': '3' });
    run.repository.git('update-index', '--index-version', `${version}`);
    if (version > 2) run.repository.git('update-index', '--skip-worktree', 'a/b/two.txt');
    const names = (await changesSince(run.workspace, 'prepared')).map(({ name }) => name);
    expect(names).toEqual(version > 2 ? ['index:a/b/two.txt'] : []);
    expect([...(await repositoryDigest(run.workspace)).keys()]).toContain('index:ü.txt');
  });

  it('names the index as a whole where it cannot read its entries', async () => {
    const run = await preparedWorkspace({ 'a.txt': '1' });
    run.repository.git('update-index', '--split-index');
    expect(await told(run.workspace)).toMatch(/files: index, sharedindex/);
    writeFileSync(
      join(run.repository.root, '.git/index'),
      'DIRC\0\0\0\u0004\u00ff\u00ff\u00ff\u00ff',
      'latin1',
    );
    expect(await told(run.workspace)).toMatch(/files: index, sharedindex/);
  });

  it('knows repositories whose objects have longer names, and refs behind a link or with odd names', async () => {
    const repository = temporaryRepository();
    const { root, git, folder } = repository;
    rmSync(join(root, '.git'), { recursive: true });
    git('init', '--quiet', '--object-format=sha256', '--initial-branch=main');
    git('-c', 'user.name=P', '-c', 'user.email=p@x', 'commit', '--quiet', '--allow-empty', '--message', 'x');
    git('add', '--all');
    execFileSync('mv', [join(root, '.git/refs'), join(folder, 'refs')]);
    symlinkSync(join(folder, 'refs'), join(root, '.git/refs'));
    const workspace = await makeWorkspace(workspaceSpec(repository));
    git('update-ref', 'refs/heads/objects/info', 'HEAD');
    git('update-index', '--assume-unchanged', 'README.md');
    const names = (await changesSince(workspace, 'prepared')).map(({ name }) => name);
    expect(names).toEqual(['index:README.md', 'refs/heads/objects/info']);
  });

  it('leaves out what other runs do in their worktrees, and tells a delivery of them as no change', async () => {
    const run = await begun();
    const other = await makeWorkspace(workspaceSpec(run, { runId: 'r2' }));
    gitIn(other.path, 'commit', '--quiet', '--allow-empty', '--message', 'work of another run');
    expect(await told(run.workspace)).toBe('');
  });

  it('reads a checkout of the person that an agent makes lead into a folder of Mayday', async () => {
    const { workspace, dotGit } = await begun();
    writeFileSync(join(dotGit, 'worktrees/second/gitdir'), `${join(folder, 'home/work/r9/.git')}\n`);
    expect((await changesSince(workspace, 'started')).map(({ name }) => name)).toEqual([
      'worktrees/second//gitdir',
    ]);
  });

  it('leaves out what other hosts do in worktrees of their own homes', async () => {
    const run = await preparedWorkspace();
    const other = { home: join(run.repository.folder, 'host-b'), root: run.repository.root };
    const theirs = await makeWorkspace(workspaceSpec(other, { runId: 'r2' }));
    await keepDigest(run.workspace, 'prepared');
    gitIn(theirs.path, '-c', 'user.name=B', '-c', 'user.email=b@x', 'commit', '--allow-empty', '-m', 'b');
    await releaseWorkspace({ home: other.home, runId: 'r2', keep: false, now: 0 });
    expect(await changesSince(run.workspace, 'prepared')).toEqual([]);
  });

  it('is that of the preparation where a power loss left the one of the start empty', async () => {
    const run = await preparedWorkspace({ 'a.txt': 'a' });
    run.repository.git('tag', 'since-the-preparation');
    await keepDigest(run.workspace, 'started');
    expect(await told(run.workspace)).toBe('');
    writeFileSync(join(runStatePath(run.workspace.shadow, run.runId), 'repository-started.json'), '');
    expect(await told(run.workspace)).toContain('refs/tags/since-the-preparation is new');
  });

  it('compares with what the record of an older version holds, and asks about nothing else', async () => {
    const run = await preparedWorkspace({ 'a.txt': 'a' });
    rmSync(join(runStatePath(run.workspace.shadow, run.runId), 'repository-prepared.json'));
    const digest = await repositoryDigest(run.workspace);
    const pick = (names: string[]) =>
      Object.fromEntries(names.map((name) => [name, digest.get(name) as string]));
    const old = { ...run.workspace, gitState: pick(['config']), refs: pick(['refs/heads/main']) };
    expect(await changesSince(old, 'started')).toEqual([]);
    run.repository.git('config', 'core.pager', 'x');
    expect((await changesSince(old, 'started')).map(({ name }) => name)).toEqual(['config']);
  });

  it('in place leaves the index, the files and the branch to the agent, and watches the settings', async () => {
    const repository = temporaryRepository();
    const workspace = await makeWorkspace(workspaceSpec(repository, { inPlace: true }));
    writeFiles(repository.root, { 'README.md': 'work\n' });
    repository.git('commit', '--quiet', '--all', '--message', 'work');
    expect(await unexplainedChanges(workspace, { since: 0 })).toEqual([]);
    writeFiles(repository.root, { '.git/hooks/pre-push': 'x' });
    chmodSync(join(repository.root, '.git/hooks/pre-push'), 0o755);
    expect((await unexplainedChanges(workspace, { since: 0 })).map(({ name }) => name)).toEqual([
      'hooks/pre-push',
    ]);
  });
});
