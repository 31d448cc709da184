import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { deliverDirectory } from '../../../src/act/deliver/deliver-directory.ts';
import { deliverMerge } from '../../../src/act/deliver/deliver-merge.ts';
import { deliverNone } from '../../../src/act/deliver/deliver-none.ts';
import { deliverPatch } from '../../../src/act/deliver/deliver-patch.ts';
import { takeCheckpoint } from '../../../src/act/checkpoint/take-checkpoint.ts';
import { gitIn, preparedWorkspace, writeFiles } from '../temporary-repository.ts';

type Prepared = Awaited<ReturnType<typeof preparedWorkspace>>;
const never = () => false;
const always = () => true;

async function save(run: Prepared, number = 1) {
  return (await takeCheckpoint({ ...run, number, reason: 'test' })).tree;
}

function specOf(run: Prepared, tree: string) {
  return { home: run.home, runId: run.runId, tree, message: 'Add work', at: 1_700_000_000_000 };
}

const FILES = { 'a.txt': 'a\n', 'b.txt': 'b\n', 'deep/c.txt': 'c\n' };

async function changed(files: Readonly<Record<string, string>> = FILES) {
  const run = await preparedWorkspace(files);
  writeFiles(run.path, { 'a.txt': 'changed\n', 'new/n.txt': 'new\n' });
  rmSync(join(run.path, 'b.txt'));
  return { run, spec: specOf(run, await save(run)) };
}

describe('the sink none', () => {
  it('leaves the workspace, and says so only while it is what was checked', async () => {
    const { run, spec } = await changed();
    expect(await deliverNone(spec)).toMatchObject({ type: 'delivered', ref: run.path });
    writeFiles(run.path, { 'a.txt': 'edited after the check\n' });
    expect(await deliverNone(spec)).toMatchObject({
      blocker: {
        code: 'sink_drifted',
        said: [expect.stringContaining(run.path), 'a.txt was changed since'],
      },
    });
  });
});

describe('the sink patch', () => {
  it('writes one patch that git applies to the base and that gives the delivered tree', async () => {
    const { run, spec } = await changed({ ...FILES, 'bin.dat': 'x\0y' });
    writeFiles(run.path, { 'bin.dat': 'x\0z' });
    const file = join(run.repository.folder, 'out/work.patch');
    const patch = { ...spec, tree: await save(run, 2), file, againstBase: false, isApproved: never };
    expect(await deliverPatch(patch)).toMatchObject({ type: 'delivered', ref: file });
    run.repository.git('apply', '--index', file);
    expect(readFileSync(join(run.repository.root, 'a.txt'), 'utf8')).toBe('changed\n');
    expect(readFileSync(join(run.repository.root, 'bin.dat'), 'utf8')).toBe('x\0z');
    expect(existsSync(join(run.repository.root, 'b.txt'))).toBe(false);
  });

  it('looked at again changes nothing, and another file there is not replaced unasked', async () => {
    const { run, spec } = await changed();
    const file = join(run.repository.folder, 'work.patch');
    const patch = { ...spec, file, againstBase: false, isApproved: never };
    const first = await deliverPatch(patch);
    const bytes = readFileSync(file);
    expect(await deliverPatch(patch)).toEqual(first);
    expect(readFileSync(file).equals(bytes)).toBe(true);
    for (const other of ['mine', 'Work of Mayday run r1\nmine']) {
      writeFileSync(file, other);
      expect(await deliverPatch(patch)).toMatchObject({
        blocker: {
          code: 'approval_required',
          resolutions: ['record_judgment', 'choose_patch_output', 'abandon'],
        },
      });
      expect(readFileSync(file, 'utf8')).toBe(other);
    }
    expect(await deliverPatch({ ...patch, isApproved: always })).toMatchObject({ type: 'delivered' });
  });

  it('that does not apply to the moved branch is a blocker; against the base it can still be written', async () => {
    const { run, spec } = await changed();
    run.repository.write({ 'a.txt': 'somebody else\n' });
    run.repository.git('commit', '-qam', 'other');
    const file = join(run.repository.folder, 'work.patch');
    const patch = { ...spec, file, isApproved: never };
    expect(await deliverPatch({ ...patch, againstBase: false })).toMatchObject({
      blocker: { code: 'patch_does_not_apply', returnsTo: 'materialize' },
    });
    expect(existsSync(file)).toBe(false);
    expect(await deliverPatch({ ...patch, againstBase: true })).toMatchObject({ type: 'delivered' });
  });

  it('names a place that cannot be written', async () => {
    const { run, spec } = await changed();
    for (const file of [join(run.repository.root, 'a.txt/x.patch'), run.repository.root, '/proc/no/x.patch'])
      expect(await deliverPatch({ ...spec, file, againstBase: false, isApproved: never })).toMatchObject({
        blocker: { code: 'sink_not_writable' },
      });
  });
});

describe('the sink directory', () => {
  it('keeps what it replaces also where the name is not text', async () => {
    const run = await preparedWorkspace(FILES);
    const name = Buffer.from([0x66, 0xfc]);
    const inside = (folder: string) => Buffer.concat([Buffer.from(`${folder}/`), name]);
    writeFileSync(inside(run.path), 'new\n');
    const path = join(run.repository.folder, 'site');
    writeFiles(path, { 'own.txt': 'own\n' });
    writeFileSync(inside(path), 'edited by hand\n');
    const spec = { ...specOf(run, await save(run)), path, isApproved: always };
    expect(await deliverDirectory(spec)).toMatchObject({ type: 'delivered' });
    expect(readFileSync(inside(path), 'utf8')).toBe('new\n');
    expect(readFileSync(inside(join(run.home, 'runs/r1/replaced')), 'utf8')).toBe('edited by hand\n');
  });

  it('turns a missing folder into the delivered tree, in one step, again and again', async () => {
    const { run, spec } = await changed();
    const path = join(run.repository.folder, 'out/site');
    const directory = { ...spec, path, isApproved: never };
    const first = await deliverDirectory(directory);
    expect(first).toMatchObject({ type: 'delivered', ref: path, files: ['a.txt', 'b.txt', 'new/n.txt'] });
    expect(readFileSync(join(path, 'deep/c.txt'), 'utf8')).toBe('c\n');
    expect(existsSync(join(path, 'b.txt'))).toBe(false);
    expect(await deliverDirectory(directory)).toEqual(first);
  });

  it('writes only the change into a folder that holds something, and asks before it replaces what is not the base’s', async () => {
    const { run, spec } = await changed();
    const path = join(run.repository.folder, 'site');
    writeFiles(path, { 'a.txt': 'a\n', 'b.txt': 'edited by hand\n', 'own.txt': 'own\n' });
    const directory = { ...spec, path, isApproved: never };
    const asked = await deliverDirectory(directory);
    expect(asked).toMatchObject({
      blocker: { code: 'approval_required', source: 'directory', files: ['b.txt'] },
    });
    expect(readFileSync(join(path, 'a.txt'), 'utf8')).toBe('a\n');
    expect(await deliverDirectory({ ...directory, isApproved: always })).toMatchObject({ type: 'delivered' });
    expect(readFileSync(join(path, 'a.txt'), 'utf8')).toBe('changed\n');
    expect(existsSync(join(path, 'b.txt'))).toBe(false);
    expect(readFileSync(join(path, 'own.txt'), 'utf8')).toBe('own\n');
    expect(readFileSync(join(run.home, 'runs/r1/replaced/b.txt'), 'utf8')).toBe('edited by hand\n');
    expect(await deliverDirectory(directory), 'no second question about our own files').toMatchObject({
      type: 'delivered',
    });
  });

  it('asks before it replaces, also where a note in the run’s folder says that it was begun', async () => {
    const { run, spec } = await changed();
    const path = join(run.repository.folder, 'site');
    writeFiles(path, { 'a.txt': 'edited by hand\n' });
    // All that the agent can know before it ends: the tree and the place.
    const note = JSON.stringify({ tree: spec.tree, path });
    writeFiles(join(run.home, 'runs/r1'), { 'directory-delivery.json': note });
    expect(await deliverDirectory({ ...spec, path, isApproved: never })).toMatchObject({
      blocker: { code: 'approval_required' },
    });
    expect(readFileSync(join(path, 'a.txt'), 'utf8')).toBe('edited by hand\n');
  });

  it('does not take its own half-written file for somebody else’s', async () => {
    const { run, spec } = await changed();
    const path = join(run.repository.folder, 'site');
    writeFiles(path, { 'a.txt': 'a\n' });
    const directory = { ...spec, path, isApproved: never };
    await deliverDirectory(directory);
    writeFiles(path, { 'a.txt': 'chan' });
    expect(await deliverDirectory(directory)).toMatchObject({ type: 'delivered' });
    expect(readFileSync(join(path, 'a.txt'), 'utf8')).toBe('changed\n');
  });

  it('never writes or deletes through a planted link', async () => {
    const { run, spec } = await changed({ ...FILES, 'new/old.txt': 'o\n' });
    rmSync(join(run.path, 'new/old.txt'));
    const tree = await save(run, 2);
    const outside = join(run.repository.folder, 'outside');
    writeFiles(outside, { 'old.txt': 'o\n' });
    const path = join(run.repository.folder, 'site');
    mkdirSync(path);
    symlinkSync(outside, join(path, 'new'));
    await deliverDirectory({ ...spec, tree, path, isApproved: always });
    expect(existsSync(join(outside, 'n.txt'))).toBe(false);
    expect(existsSync(join(outside, 'old.txt'))).toBe(true);
  });

  it('takes away no folder and no link of somebody’s, whatever was approved, and names them', async () => {
    const { run, spec } = await changed();
    const path = join(run.repository.folder, 'site');
    writeFiles(path, { 'a.txt/precious': 'mine', 'real/x': 'mine' });
    symlinkSync('real', join(path, 'new'));
    const named = await deliverDirectory({ ...spec, path, isApproved: always });
    expect(named).toMatchObject({
      blocker: {
        code: 'sink_not_writable',
        said: [expect.stringContaining('a.txt (a folder), new (a link, not a folder)')],
      },
    });
    expect(readFileSync(join(path, 'a.txt/precious'), 'utf8')).toBe('mine');
    expect(readlinkSync(join(path, 'new'))).toBe('real');
  });

  it('puts a file where the base had a folder, and keeps a link that it replaces', async () => {
    const run = await preparedWorkspace({ 'x/old.txt': 'o\n', 'l.txt': 'l\n' });
    rmSync(join(run.path, 'x'), { recursive: true });
    writeFiles(run.path, { x: 'now a file\n', 'l.txt': 'changed\n' });
    const path = join(run.repository.folder, 'site');
    writeFiles(path, { 'x/old.txt': 'o\n' });
    symlinkSync('elsewhere', join(path, 'l.txt'));
    const directory = { ...specOf(run, await save(run)), path, isApproved: always };
    expect(await deliverDirectory(directory)).toMatchObject({ type: 'delivered' });
    expect(readFileSync(join(path, 'x'), 'utf8')).toBe('now a file\n');
    expect(readFileSync(join(path, 'l.txt'), 'utf8')).toBe('changed\n');
    expect(readlinkSync(join(run.home, 'runs/r1/replaced/l.txt'))).toBe('elsewhere');
  });

  it('refuses what would cover the record, the workspace or the checkout', async () => {
    const { run, spec } = await changed();
    for (const path of [
      run.home,
      run.path,
      run.repository.root,
      run.repository.folder,
      '/',
      join(run.home, 'x'),
    ])
      expect(await deliverDirectory({ ...spec, path, isApproved: always })).toMatchObject({
        blocker: { code: 'sink_not_writable' },
      });
  });

  it.skipIf(process.getuid?.() === 0)('names a folder that cannot be written', async () => {
    const { run, spec } = await changed();
    const path = join(run.repository.folder, 'closed');
    mkdirSync(path);
    chmodSync(path, 0o500);
    expect(await deliverDirectory({ ...spec, path: join(path, 'x'), isApproved: never })).toMatchObject({
      blocker: { code: 'sink_not_writable' },
    });
  });
});

describe('the sink merge', () => {
  const merge = (spec: ReturnType<typeof specOf>, branch = 'main') => deliverMerge({ ...spec, branch });

  it('fast-forwards a branch that has not moved, and its clean checkout follows', async () => {
    const { run, spec } = await changed();
    writeFiles(run.repository.root, { 'dirty.txt': 'mine' });
    expect(await merge(spec)).toMatchObject({ type: 'delivered', ref: 'main' });
    const { git } = run.repository;
    expect(git('rev-list', '--count', 'main')).toBe('2');
    expect(git('status', '--porcelain')).toBe('?? dirty.txt');
    expect(readFileSync(join(run.repository.root, 'a.txt'), 'utf8')).toBe('changed\n');
    const before = git('rev-parse', 'main');
    expect(await merge(spec)).toMatchObject({ type: 'delivered', commit: before });
    expect(git('rev-parse', 'main')).toBe(before);
  });

  it('makes a merge commit when the branch moved on', async () => {
    const { run, spec } = await changed();
    run.repository.write({ 'deep/c.txt': 'theirs\n' });
    run.repository.git('commit', '-qam', 'theirs');
    expect(await merge(spec)).toMatchObject({ type: 'delivered' });
    const { git } = run.repository;
    expect(git('log', '--format=%s', '--first-parent', 'main')).toBe('Merge work of run r1\ntheirs\nstart');
    expect(git('show', 'main:deep/c.txt')).toBe('theirs');
    expect(git('show', 'main:a.txt')).toBe('changed');
    expect(git('status', '--porcelain')).toBe('');
    const tip = git('rev-parse', 'main');
    expect(await merge(spec)).toMatchObject({ type: 'delivered', commit: tip });
    expect(git('rev-parse', 'main'), 'looked at again: no second merge').toBe(tip);
    run.repository.write({ 'own.txt': 'after the delivery' });
    git('add', 'own.txt');
    git('commit', '-qm', 'mine');
    const later = git('rev-parse', 'main');
    expect(await merge(spec)).toMatchObject({ type: 'delivered', commit: tip });
    expect(git('rev-parse', 'main')).toBe(later);
  });

  it('goes only onto the branch that the gate saw', async () => {
    const { run, spec } = await changed();
    const { git } = run.repository;
    const judged = { ...spec, branch: 'main', target: run.workspace.baseCommit };
    run.repository.write({ 'deep/c.txt': 'theirs\n' });
    git('commit', '-qam', 'theirs');
    const tip = git('rev-parse', 'main');
    expect(await deliverMerge(judged)).toMatchObject({ type: 'blocked', targetMoved: true });
    expect(git('rev-parse', 'main')).toBe(tip);
    expect(await deliverMerge({ ...judged, target: tip })).toMatchObject({ type: 'delivered' });
  });

  it('does not take the work for merged because a commit says so', async () => {
    const { run, spec } = await changed();
    const { git } = run.repository;
    writeFiles(run.path, { 'out-of-scope.txt': 'x' });
    gitIn(run.path, 'add', '--all');
    gitIn(run.path, 'commit', '-qm', 'hidden below');
    gitIn(run.path, 'rm', '-q', 'out-of-scope.txt');
    gitIn(run.path, 'commit', '-qm', 'Add work\n\nMayday-Run: r1');
    gitIn(run.path, 'update-ref', 'refs/heads/main', 'HEAD');
    const planted = git('rev-parse', 'main');
    const target = run.workspace.baseCommit;
    expect(await deliverMerge({ ...spec, branch: 'main', target })).toMatchObject({ type: 'blocked' });
    expect(git('rev-parse', 'main')).toBe(planted);
  });

  it('leaves everything as it is when the branch conflicts, is missing, or a person’s changes are in the way', async () => {
    const { run, spec } = await changed();
    const { git } = run.repository;
    expect(await merge(spec, 'nowhere')).toMatchObject({ blocker: { code: 'sink_not_writable' } });
    run.repository.write({ 'a.txt': 'half done by hand\n' });
    const tip = git('rev-parse', 'main');
    expect(await merge(spec)).toMatchObject({
      blocker: { code: 'sink_not_writable', resolutions: ['fix_sink', 'choose_patch_output', 'abandon'] },
    });
    expect(git('rev-parse', 'main')).toBe(tip);
    expect(readFileSync(join(run.repository.root, 'a.txt'), 'utf8')).toBe('half done by hand\n');
    git('commit', '-qam', 'theirs');
    expect(await merge(spec)).toMatchObject({
      blocker: { code: 'sink_drifted', said: [expect.stringContaining('a.txt')] },
    });
  });

  it('finishes a checkout that a crash left behind its branch', async () => {
    const { run, spec } = await changed();
    const { git } = run.repository;
    git('checkout', '-q', '--detach');
    await merge(spec);
    // As after a kill between moving the branch and moving the checkout.
    git('symbolic-ref', 'HEAD', 'refs/heads/main');
    expect(git('status', '--porcelain')).not.toBe('');
    expect(await merge(spec)).toMatchObject({ type: 'delivered' });
    expect(git('status', '--porcelain')).toBe('');
    expect(readFileSync(join(run.repository.root, 'a.txt'), 'utf8')).toBe('changed\n');
  });

  it('runs no merge driver, hook or filter that was planted while the agent worked', async () => {
    const { run, spec } = await changed();
    const trace = join(run.repository.folder, 'trace');
    const program = `echo run >> ${trace}; true`;
    const { git } = run.repository;
    git('config', 'merge.evil.driver', program);
    git('config', 'filter.evil.smudge', program);
    git('config', 'core.fsmonitor', program);
    run.repository.write({ '.gitattributes': '* merge=evil filter=evil\n', 'deep/c.txt': 'x\n' });
    execFileSync('git', ['-c', 'core.fsmonitor=false', 'add', '-A'], { cwd: run.repository.root });
    execFileSync('git', ['-c', 'core.fsmonitor=false', 'commit', '-qm', 'theirs'], {
      cwd: run.repository.root,
    });
    rmSync(trace, { force: true });
    await merge(spec);
    expect(existsSync(trace)).toBe(false);
    expect(gitIn(run.repository.root, '-c', 'core.fsmonitor=false', 'show', 'main:a.txt')).toBe('changed');
  });
});

describe('a place that changed since the person named it', () => {
  it('takes no work once a link leads from it into a git directory', async () => {
    const { run, spec } = await changed();
    const out = join(run.repository.root, 'out');
    symlinkSync(join(run.repository.root, '.git'), out);
    const refused = { type: 'blocked', blocker: { code: 'sink_not_writable' } };
    const folder = { ...spec, path: join(out, 'hooks'), isApproved: always };
    expect(await deliverDirectory(folder)).toMatchObject(refused);
    const patch = { ...spec, file: join(out, 'hooks/pre-commit'), againstBase: false, isApproved: always };
    expect(await deliverPatch(patch)).toMatchObject(refused);
    expect(existsSync(join(run.repository.root, '.git/hooks/new'))).toBe(false);
    expect(existsSync(join(run.repository.root, '.git/hooks/pre-commit'))).toBe(false);
  });

  it('takes no work outside the repository where only a file names it', async () => {
    const { run, spec } = await changed();
    const { root, folder } = run.repository;
    symlinkSync(folder, join(root, 'out'));
    const directory = { ...spec, path: join(root, 'out/new'), confinedTo: root, isApproved: always };
    expect(await deliverDirectory(directory)).toMatchObject({ blocker: { code: 'sink_not_writable' } });
    expect(await deliverDirectory({ ...directory, path: join(root, 'inside') })).toMatchObject({
      type: 'delivered',
    });
    expect(existsSync(join(folder, 'new'))).toBe(false);
  });
});
