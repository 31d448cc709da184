import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { takeCheckpoint } from '../../../src/act/checkpoint/take-checkpoint.ts';
import { verifyCheckpoint } from '../../../src/act/checkpoint/verify-checkpoint.ts';
import { gitIn, preparedWorkspace, writeFiles } from '../temporary-repository.ts';

type Prepared = Awaited<ReturnType<typeof preparedWorkspace>>;

async function checkpoint(run: Prepared, number = 1, more = {}) {
  return await takeCheckpoint({ home: run.home, runId: run.runId, number, reason: 'test', ...more });
}

function filesOf(run: Prepared, tree: string): string[] {
  return gitIn(run.workspace.shadow, 'ls-tree', '-r', '-z', '--name-only', tree).split('\0').filter(Boolean);
}

function contentOf(run: Prepared, tree: string, path: string): string {
  return execFileSync('git', ['cat-file', 'blob', `${tree}:${path}`], {
    cwd: run.workspace.shadow,
    encoding: 'utf8',
  });
}

describe('a checkpoint', () => {
  it('holds changed, new and deleted files, tracked or not, byte for byte', async () => {
    const run = await preparedWorkspace({
      'a.txt': 'a\n',
      'gone.txt': 'x\n',
      '.gitattributes': '* text=auto\n',
    });
    writeFiles(run.path, { 'a.txt': 'one\r\ntwo\r\n', 'new/b.txt': 'b' });
    rmSync(join(run.path, 'gone.txt'));
    const saved = await checkpoint(run);
    expect(saved).toMatchObject({ state: 'complete', number: 1, files: 3, missing: [] });
    expect(filesOf(run, saved.tree)).toEqual(['.gitattributes', 'a.txt', 'new/b.txt']);
    expect(contentOf(run, saved.tree, 'a.txt')).toBe('one\r\ntwo\r\n');
    expect(await verifyCheckpoint({ ...run, number: 1 })).toEqual({ holds: true, problems: [] });
  });

  it('holds a change of equal length made in the second of the checkpoint before it', async () => {
    const run = await preparedWorkspace({ 'add.sh': 'a - b\n' });
    const file = join(run.path, 'add.sh');
    const secondOf = () => Math.floor(statSync(file).mtimeMs / 1000);
    let number = 0;
    let second: number;
    do {
      number += 1;
      writeFileSync(file, 'a * b\n');
      second = secondOf();
      await checkpoint(run, number);
      writeFileSync(file, 'a + b\n');
      // A slow machine may need another go until both writes fall into one second.
    } while (secondOf() !== second && number < 50);
    while (Math.floor(Date.now() / 1000) === second) await pause(20);
    const saved = await checkpoint(run, number + 1);
    expect(contentOf(run, saved.tree, 'add.sh')).toBe('a + b\n');
  });

  it('is taken once: the same number again is the same checkpoint, whatever happened since', async () => {
    const run = await preparedWorkspace();
    writeFiles(run.path, { one: '1' });
    const first = await checkpoint(run);
    writeFiles(run.path, { two: '2' });
    expect(await checkpoint(run)).toEqual(first);
    expect((await checkpoint(run, 2)).files).toBe(3);
  });

  it('is of the present files also where another process took the one before it', async () => {
    const run = await preparedWorkspace();
    await checkpoint(run, 1);
    writeFiles(run.path, { two: '2' });
    const program = resolve(import.meta.dirname, '../../fixtures/checkpoint-process.ts');
    const spec = JSON.stringify({ home: run.home, runId: run.runId, number: 2 });
    execFileSync(process.execPath, ['--no-warnings', program, 'checkpoint', spec]);
    expect(filesOf(run, (await checkpoint(run, 3)).tree)).toContain('two');
  });

  it('of equal files is the one before it only where that is asked for and nothing is beside it', async () => {
    const run = await preparedWorkspace({ '.gitignore': '.env\n' });
    writeFiles(run.path, { one: '1', '.env': 'K=1' });
    const first = await checkpoint(run, 1);
    expect(await checkpoint(run, 2, { orEqual: true })).toEqual(first);
    expect((await checkpoint(run, 2, { orEqual: true, ignoredToInclude: ['.env'] })).number).toBe(2);
    expect((await checkpoint(run, 3)).number).toBe(3);
    writeFiles(run.path, { one: 'one' });
    expect((await checkpoint(run, 4, { orEqual: true })).number).toBe(4);
  });

  it('with a number that another process has just taken is the one of that process', async () => {
    const run = await preparedWorkspace();
    const both = await Promise.all([checkpoint(run, 1), checkpoint(run, 1, { reason: 'other' })]);
    expect(new Set(both.map(({ commit }) => commit)).size).toBe(1);
  });

  it('holds tracked files that an ignore pattern covers, and leaves ignored ones out', async () => {
    const run = await preparedWorkspace({ '.gitignore': '*.log\n', 'kept.log': 'tracked' });
    writeFiles(run.path, { 'noise.log': 'ignored', 'kept.log': 'changed' });
    const saved = await checkpoint(run);
    expect(filesOf(run, saved.tree)).toEqual(['.gitignore', 'kept.log']);
    expect(contentOf(run, saved.tree, 'kept.log')).toBe('changed');
  });

  it('holds folders that a tool can make again only under names under which the project tracks files', async () => {
    const run = await preparedWorkspace({
      'kept/node_modules/a.js': 'a',
      'kept/.tox/a': 'a',
      '.gitignore': '!node_modules/\n.tox/\n',
    });
    writeFiles(run.path, { 'new/node_modules/b.js': 'b', 'kept/.tox/b': 'b', 'new/venv/b': 'b' });
    const { tree } = await checkpoint(run);
    expect(filesOf(run, tree)).toEqual([
      '.gitignore',
      'kept/.tox/a',
      'kept/node_modules/a.js',
      'new/node_modules/b.js',
    ]);
  });

  it('saves named ignored files and the session beside the tree', async () => {
    const run = await preparedWorkspace({ '.gitignore': '.env*\n' });
    writeFiles(run.path, { '.env.local': 'SECRET=1', '.env.other': 'x' });
    const session = join(run.repository.folder, 'session.jsonl');
    writeFileSync(session, '{"said":"hello"}\n');
    const saved = await checkpoint(run, 1, { ignoredToInclude: ['.env.local'], sessionFiles: [session] });
    expect(saved).toMatchObject({
      state: 'complete',
      hasExtras: true,
      session: [{ path: session, name: '0-session.jsonl' }],
    });
    expect(filesOf(run, saved.tree)).toEqual(['.gitignore']);
    expect(filesOf(run, `${saved.commit}^2`)).toEqual(['ignored/.env.local', 'session/0-session.jsonl']);
  });

  it('says which session file is missing', async () => {
    const run = await preparedWorkspace();
    const saved = await checkpoint(run, 1, { sessionFiles: ['/no/such/session'] });
    expect(saved).toMatchObject({ state: 'partial', missing: [{ path: '/no/such/session' }] });
  });

  it('survives names that are hard to write', async () => {
    const run = await preparedWorkspace();
    const names = ['-rf', 'a b', `q"'$(x)`, 'line\nbreak', 'tab\t', 'back\\slash', ':(top)x', '*', 'ü'];
    for (const name of names) writeFileSync(join(run.path, name), name);
    writeFileSync(Buffer.concat([Buffer.from(`${run.path}/`), Buffer.from([0x66, 0xff, 0xfe])]), 'bytes');
    const saved = await checkpoint(run);
    expect(saved).toMatchObject({ state: 'complete', files: names.length + 2 });
    const listed = filesOf(run, saved.tree);
    for (const name of names) expect(listed).toContain(name);
  });

  it('holds all files, where the first one in the order of git looks like an option', async () => {
    const run = await preparedWorkspace();
    for (const name of ['-rf', 'b']) writeFileSync(join(run.path, name), name);
    expect(filesOf(run, (await checkpoint(run)).tree)).toEqual(expect.arrayContaining(['-rf', 'b']));
  });

  it('outlives the deletion of the repository and of the worktree link', async () => {
    const run = await preparedWorkspace();
    writeFiles(run.path, { work: 'done' });
    rmSync(join(run.repository.root, '.git'), { recursive: true });
    rmSync(join(run.path, '.git'));
    const saved = await checkpoint(run);
    expect(saved.state).toBe('complete');
    rmSync(run.path, { recursive: true });
    expect(await verifyCheckpoint({ ...run, number: 1 })).toEqual({ holds: true, problems: [] });
    expect(contentOf(run, saved.tree, 'work')).toBe('done');
  });

  it('does not care about a rebase in progress or a stale lock of the agent', async () => {
    const run = await preparedWorkspace({ f: '1\n' });
    writeFiles(run.path, { f: '2\n' });
    gitIn(run.path, 'commit', '-qam', 'two');
    gitIn(run.path, 'checkout', '-q', '-B', 'other', 'HEAD~1');
    writeFiles(run.path, { f: '3\n' });
    gitIn(run.path, 'commit', '-qam', 'three');
    expect(() => gitIn(run.path, 'rebase', 'HEAD@{2}')).toThrow();
    writeFileSync(join(gitIn(run.path, 'rev-parse', '--git-dir'), 'index.lock'), '');
    const saved = await checkpoint(run);
    expect(saved.state).toBe('complete');
    expect(contentOf(run, saved.tree, 'f')).toContain('<<<<<<<');
  });

  it('goes on after a crash that left a lock or half an index of its own', async () => {
    const run = await preparedWorkspace();
    const state = join(run.workspace.shadow, 'mayday', run.runId);
    writeFileSync(join(state, 'index.lock'), '');
    writeFileSync(join(state, 'index'), 'DIRC half');
    writeFiles(run.path, { work: 'x' });
    expect(await checkpoint(run)).toMatchObject({ state: 'complete', files: 2 });
  });
});

describe('what cannot be saved is listed', () => {
  it('saves the files of nested repositories, and says that their history is not saved', async () => {
    const run = await preparedWorkspace();
    for (const name of ['empty', 'full', 'full/inner']) {
      mkdirSync(join(run.path, name), { recursive: true });
      gitIn(join(run.path, name), 'init', '-q');
      writeFiles(run.path, { [`${name}/file`]: name });
    }
    gitIn(join(run.path, 'full'), 'add', 'file');
    gitIn(join(run.path, 'full'), '-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'x');
    for (const number of [1, 2]) {
      const saved = await checkpoint(run, number);
      expect(saved.state).toBe('partial');
      expect(saved.missing.map(({ path }) => path).toSorted()).toEqual([
        'empty/.git',
        'full/.git',
        'full/inner/.git',
      ]);
      expect(filesOf(run, saved.tree)).toEqual(['README.md', 'empty/file', 'full/file', 'full/inner/file']);
    }
  });

  it.skipIf(process.getuid?.() === 0)('lists unreadable files and folders and saves the rest', async () => {
    const run = await preparedWorkspace();
    writeFiles(run.path, { secret: 'x', 'closed/inside': 'y', open: 'z' });
    chmodSync(join(run.path, 'secret'), 0);
    chmodSync(join(run.path, 'closed'), 0);
    const saved = await checkpoint(run);
    expect(saved.state).toBe('partial');
    expect(saved.missing.map(({ path }) => path).toSorted()).toEqual(['closed/', 'secret']);
    expect(filesOf(run, saved.tree)).toEqual(['README.md', 'open']);
  });

  it('skips pipes and sockets without hanging, and lists one that took the place of a file', async () => {
    const run = await preparedWorkspace({ file: 'x' });
    execFileSync('mkfifo', [join(run.path, 'pipe')]);
    const server = createServer().listen(join(run.path, 'socket'));
    onTestFinished(() => {
      server.close();
    });
    rmSync(join(run.path, 'file'));
    execFileSync('mkfifo', [join(run.path, 'file')]);
    const saved = await checkpoint(run);
    expect(saved).toMatchObject({ state: 'partial', files: 0, missing: [{ path: 'file' }] });
  });

  it('leaves out what is larger than the limit', async () => {
    const run = await preparedWorkspace();
    writeFileSync(join(run.path, 'huge'), '');
    truncateSync(join(run.path, 'huge'), 5 * 1024 ** 3);
    const saved = await checkpoint(run);
    expect(saved).toMatchObject({ state: 'partial', files: 1, missing: [{ path: 'huge' }] });
  });

  it('notices a file that is written to all the time', async () => {
    const run = await preparedWorkspace();
    const file = join(run.path, 'growing');
    writeFileSync(file, 'x');
    const timer = setInterval(() => appendFileSync(file, 'x'), 1);
    const saved = await checkpoint(run);
    clearInterval(timer);
    expect(saved).toMatchObject({ state: 'partial', missing: [{ path: 'growing' }] });
  });

  it('is failed, with the reason, when the shadow repository cannot be written', async () => {
    const run = await preparedWorkspace();
    writeFiles(run.path, { work: 'x' });
    rmSync(join(run.workspace.shadow, 'objects'), { recursive: true });
    writeFileSync(join(run.workspace.shadow, 'objects'), 'not a folder');
    const saved = await checkpoint(run);
    expect(saved).toMatchObject({ state: 'failed', commit: '', tree: '' });
    expect(saved.problem).toMatch(/git/);
  });
});

describe('shapes that change', () => {
  it('follows a file that becomes a folder, a folder that becomes a link, and back', async () => {
    const run = await preparedWorkspace({ thing: 'file', 'dir/a': 'a' });
    rmSync(join(run.path, 'thing'));
    writeFiles(run.path, { 'thing/inside': 'x' });
    rmSync(join(run.path, 'dir'), { recursive: true });
    writeFiles(run.path, { 'elsewhere/a': 'a' });
    symlinkSync('elsewhere', join(run.path, 'dir'));
    const saved = await checkpoint(run);
    expect(saved.state).toBe('complete');
    expect(filesOf(run, saved.tree)).toEqual(['dir', 'elsewhere/a', 'thing/inside']);
    rmSync(join(run.path, 'dir'));
    writeFiles(run.path, { 'dir/a': 'back' });
    const back = await checkpoint(run, 2);
    expect(filesOf(run, back.tree)).toEqual(['dir/a', 'elsewhere/a', 'thing/inside']);
  });

  it('does not follow a link out of the workspace', async () => {
    const run = await preparedWorkspace();
    writeFiles(run.repository.folder, { 'outside/secret': 'do not save' });
    symlinkSync(join(run.repository.folder, 'outside'), join(run.path, 'link'));
    const saved = await checkpoint(run);
    expect(filesOf(run, saved.tree)).toEqual(['README.md', 'link']);
  });
});
