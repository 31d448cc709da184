import {
  appendFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inspectRepository } from '../../../src/act/workspace/inspect-repository.ts';
import { partialWork, readCheckpointNotes } from '../../../src/act/checkpoint/partial-work.ts';
import { detectProject } from '../../../src/act/project/detect-project.ts';
import { makeWorkspace } from '../../../src/act/workspace/make-workspace.ts';
import { takeCheckpoint } from '../../../src/act/checkpoint/take-checkpoint.ts';
import { recordWorkspace } from '../../../src/act/workspace/workspace.ts';
import { workspaceRecordPath } from '../../../src/act/workspace/home-layout.ts';
import { refuseUnsafeFolder } from '../../../src/act/workspace/refuse-unsafe-folder.ts';
import {
  gitIn,
  preparedWorkspace,
  temporaryFolder,
  temporaryRepository,
  trap,
  workspaceSpec,
  writeFiles,
} from '../temporary-repository.ts';

const FAILED = { exitCode: 1, durationMs: 1, outputTail: '' };

describe('looking at a repository', () => {
  it('takes no folder for the home of a person who has none', () => {
    const here = process.cwd();
    expect(refuseUnsafeFolder(here, temporaryFolder(), { HOME: '' })).toBe(realpathSync(here));
  });

  it('says what is there', async () => {
    const repository = temporaryRepository({ 'sub/a': 'a', '.gitmodules': '' });
    repository.write({ 'dirty one': 'x' });
    const facts = await inspectRepository(join(repository.root, 'sub'), { home: repository.home });
    expect(facts).toMatchObject({
      kind: 'git',
      root: repository.root,
      prefix: 'sub',
      branch: 'main',
      head: repository.git('rev-parse', 'HEAD'),
      dirty: ['dirty one'],
      problems: [{ code: 'submodules' }],
    });
  });

  it('refuses with a code and advice what is no place to work in', async () => {
    const repository = temporaryRepository();
    const { folder, home } = repository;
    const code = async (cwd: string, env?: NodeJS.ProcessEnv) =>
      await inspectRepository(cwd, { home, ...(env ? { env } : {}) }).then(
        () => 'accepted',
        (error: { code: string; exitCode: number; advice: unknown[] }) => {
          expect(error.exitCode).toBe(2);
          expect(error.advice.length).toBeGreaterThan(0);
          return error.code;
        },
      );
    mkdirSync(join(home, 'work/r9'), { recursive: true });
    mkdirSync(join(folder, 'empty'));
    gitIn(join(folder, 'empty'), 'init', '-q');
    gitIn(folder, 'clone', '-q', '--bare', repository.root, 'bare.git');
    symlinkSync(repository.root, join(folder, 'link'));
    writeFileSync(join(folder, 'file'), '');
    expect(await code('/')).toBe('WORKSPACE_IS_ROOT');
    expect(await code(folder, { ...process.env, HOME: folder })).toBe('WORKSPACE_IS_HOME');
    expect(await code(home)).toBe('WORKSPACE_IS_MAYDAY_HOME');
    expect(await code(join(home, 'work/r9'))).toBe('WORKSPACE_IS_ANOTHER_RUN');
    expect(await code(join(folder, 'link'))).toBe('WORKSPACE_IS_SYMLINK');
    expect(await code(join(folder, 'file'))).toBe('WORKSPACE_NOT_A_FOLDER');
    expect(await code(join(folder, 'nowhere'))).toBe('WORKSPACE_MISSING');
    expect(await code(join(folder, 'bare.git'))).toBe('REPOSITORY_IS_BARE');
    expect(await code(join(repository.root, '.git'))).toBe('REPOSITORY_IS_BARE');
    expect(await code(join(folder, 'empty'))).toBe('REPOSITORY_HAS_NO_COMMITS');
  });

  it('runs nothing that a hostile repository planted', async () => {
    const repository = temporaryRepository({ '.gitattributes': '* filter=evil\n', 'a.txt': 'a\n' });
    const { program, trace } = trap(repository.folder);
    for (const key of ['core.fsmonitor', 'filter.evil.clean', 'filter.e=vil.clean', 'core.sshCommand'])
      repository.git('config', key, program);
    repository.write({ 'a.txt': 'b\n' });
    const facts = await inspectRepository(repository.root, { home: repository.home });
    expect(facts.dirty).toContain('a.txt');
    expect(existsSync(trace)).toBe(false);
    repository.git('status');
    expect(existsSync(trace), 'the trap works').toBe(true);
  });

  it.each([
    'an included file',
    'the configuration of the worktree',
    'a configuration behind a link',
    'Capitals',
  ])('runs no filter that is named in %s', async (place) => {
    const repository = temporaryRepository({ '.gitattributes': '* filter=evil\n', 'a.txt': 'a\n' });
    const { program, trace } = trap(repository.folder);
    const gitDir = join(repository.root, '.git');
    const config = join(gitDir, 'config');
    const evil = `[${place === 'Capitals' ? 'Filter' : 'filter'} "evil"]\n\tclean = ${program}\n`;
    if (place === 'an included file') {
      writeFileSync(join(gitDir, 'more'), evil);
      repository.git('config', 'include.path', 'more');
    } else if (place === 'the configuration of the worktree') {
      repository.git('config', 'extensions.worktreeConfig', 'true');
      writeFileSync(join(gitDir, 'config.worktree'), evil);
    } else appendFileSync(config, evil);
    if (place === 'a configuration behind a link') {
      renameSync(config, join(gitDir, 'elsewhere'));
      symlinkSync('elsewhere', config);
    }
    repository.write({ 'a.txt': 'b\n' });
    const facts = await inspectRepository(repository.root, { home: repository.home });
    expect(facts.dirty).toContain('a.txt');
    expect(existsSync(trace)).toBe(false);
    repository.git('status');
    expect(existsSync(trace), 'the trap works').toBe(true);
  });
});

describe('preparing a workspace', () => {
  it('is a locked worktree at HEAD without the uncommitted changes, and a warning about them', async () => {
    const repository = temporaryRepository({ 'sub/a.txt': 'a\n' });
    repository.write({ 'sub/a.txt': 'dirty\n' });
    const cwd = join(repository.root, 'sub');
    const workspace = await makeWorkspace(workspaceSpec(repository, { cwd }));
    expect(workspace).toMatchObject({
      kind: 'worktree',
      path: join(repository.home, 'work/r1'),
      cwd: join(repository.home, 'work/r1/sub'),
      baseCommit: repository.git('rev-parse', 'HEAD'),
      branch: 'main',
    });
    expect(workspace.warnings[0]).toMatch(/1 uncommitted change.*sub\/a\.txt.*--include-dirty/);
    expect(readFileSync(join(workspace.cwd, 'a.txt'), 'utf8')).toBe('a\n');
    expect(repository.git('worktree', 'list', '--porcelain')).toContain('locked mayday run r1');
  });

  it('is found again as it was', async () => {
    const repository = temporaryRepository();
    const first = await makeWorkspace(workspaceSpec(repository));
    writeFiles(first.path, { work: 'x' });
    expect(await makeWorkspace(workspaceSpec(repository))).toEqual(first);
    expect(existsSync(join(first.path, 'work'))).toBe(true);
  });

  it('is made anew when a crash left half of it, or when the agent removed it', async () => {
    const repository = temporaryRepository();
    const first = await makeWorkspace(workspaceSpec(repository));
    rmSync(workspaceRecordPath(repository.home, 'r1'));
    rmSync(join(first.path, 'README.md'));
    const second = await makeWorkspace(workspaceSpec(repository));
    expect(second.baseTree).toBe(first.baseTree);
    expect(existsSync(join(second.path, 'README.md'))).toBe(true);
    rmSync(second.path, { recursive: true });
    expect(await makeWorkspace(workspaceSpec(repository))).toEqual(second);
    expect(existsSync(join(second.path, 'README.md'))).toBe(true);
  });

  it('copies named ignored files, brings node_modules and runs setup', async () => {
    const repository = temporaryRepository({
      '.gitignore': '.env*\nnode_modules/\nbuilt\n',
      'package.json': '{}',
    });
    repository.write({ '.env': 'A=1', '.env.local': 'B=2', 'node_modules/p/index.js': '1' });
    const spec = workspaceSpec(repository, {
      ignoredToCopy: ['.env*', '../outside', '/etc/passwd', '.git/config'],
      nodeModules: 'copy',
      setup: 'cat .env > built; echo set up',
    });
    const workspace = await makeWorkspace(spec);
    expect(readFileSync(join(workspace.path, 'built'), 'utf8')).toBe('A=1');
    expect(existsSync(join(workspace.path, '.env.local'))).toBe(true);
    expect(lstatSync(join(workspace.path, 'node_modules')).isDirectory()).toBe(true);
    expect(workspace.setup).toMatchObject({ exitCode: 0, outputTail: 'set up\n' });
    expect(gitIn(workspace.shadow, 'ls-tree', '-r', '--name-only', workspace.baseTree)).toBe(
      '.gitignore\npackage.json',
    );
  });

  it('is not made by a set-up that fails, and is made again when it passes or is left out', async () => {
    const repository = temporaryRepository({ 'README.md': 'x' });
    const mended = join(repository.folder, 'mended');
    const setup = `echo half > half; test -e ${mended}`;
    const make = async (more: object) => await makeWorkspace(workspaceSpec(repository, { setup, ...more }));
    await expect(make({})).rejects.toMatchObject({ code: 'SETUP_FAILED' });
    const without = await make({ setup: null });
    expect(existsSync(join(without.path, 'half'))).toBe(false);
    await recordWorkspace(repository.home, { ...without, setup: { ...FAILED, command: setup } });
    expect((await make({})).setup, 'one that failed on another host').toMatchObject({ exitCode: 1 });
    writeFileSync(mended, '');
    expect((await make({})).setup).toMatchObject({ exitCode: 0 });
    expect((await make({ setup: 'exit 1' })).setup, 'a usable one is left alone').toMatchObject({
      exitCode: 0,
    });
  });

  it('links node_modules without letting the link into the work', async () => {
    const repository = temporaryRepository({ '.gitignore': 'node_modules/\n', 'package.json': '{}' });
    repository.write({ 'node_modules/p/index.js': '1' });
    const workspace = await makeWorkspace(
      workspaceSpec(repository, { nodeModules: 'link', setup: 'npm ci' }),
    );
    expect(workspace.setup, 'a link makes the install superfluous').toBeNull();
    expect(lstatSync(join(workspace.path, 'node_modules')).isSymbolicLink()).toBe(true);
    const saved = await takeCheckpoint({ ...workspace, home: repository.home, number: 1, reason: 'x' });
    expect(saved.tree).toBe(workspace.baseTree);
    expect(saved.files).toBe(2);
  });

  it('brings a virtual environment as it brings node_modules, and makes it name its new place', async () => {
    const repository = temporaryRepository({ '.gitignore': '.venv/\n', 'requirements.txt': 'x\n' });
    const { root } = repository;
    repository.write({
      '.venv/pyvenv.cfg': 'home = /usr/bin\n',
      '.venv/bin/tool': `#!${root}/.venv/bin/python\nprint("${root}2/other")\n`,
      '.venv/lib/python3.11/site-packages/__editable__.x.pth': `${root}/src\n`,
    });
    const proposal = await detectProject(root, process.env['PATH'] ?? '');
    expect(proposal).toMatchObject({ nodeModules: 'copy', setup: expect.stringContaining('-m venv .venv') });
    const { nodeModules, setup } = proposal;
    const workspace = await makeWorkspace(workspaceSpec(repository, { nodeModules, setup }));
    const { path } = workspace;
    expect(workspace.setup, 'nothing has to be installed').toBeNull();
    expect(readFileSync(join(path, '.venv/bin/tool'), 'utf8')).toBe(
      `#!${path}/.venv/bin/python\nprint("${root}2/other")\n`,
    );
    const editable = '.venv/lib/python3.11/site-packages/__editable__.x.pth';
    expect(readFileSync(join(path, editable), 'utf8')).toBe(`${path}/src\n`);
    expect(readFileSync(join(root, editable), 'utf8'), 'the person’s own is as it was').toBe(`${root}/src\n`);
  });

  it('installs what it does not bring: a virtual environment alone is no node_modules', async () => {
    const repository = temporaryRepository({ '.gitignore': '.venv/\nnode_modules/\n' });
    repository.write({ '.venv/pyvenv.cfg': '' });
    const setup = 'npm ci && python3 -m venv .venv';
    const making = makeWorkspace(workspaceSpec(repository, { nodeModules: 'copy', setup }));
    await expect(making).rejects.toMatchObject({ message: expect.stringContaining(setup) as unknown });
  });

  it('does not copy through a link that leads out of the tree', async () => {
    const repository = temporaryRepository({ '.gitignore': '.env\n' });
    const outside = join(repository.folder, 'outside');
    mkdirSync(outside);
    symlinkSync(outside, join(repository.root, 'conf'));
    repository.git('add', '.');
    repository.git('commit', '-qm', 'link');
    rmSync(join(repository.root, 'conf'));
    repository.write({ 'conf/deep/.env': 'SECRET' });
    const workspace = await makeWorkspace(workspaceSpec(repository, { ignoredToCopy: ['conf/deep/.env'] }));
    expect(existsSync(join(outside, 'deep'))).toBe(false);
    expect(workspace.warnings.join()).toContain('conf/deep/.env was not copied');
  });

  it('works in place, and in a folder without git', async () => {
    const repository = temporaryRepository();
    const inPlace = await makeWorkspace(workspaceSpec(repository, { inPlace: true }));
    expect(inPlace).toMatchObject({ kind: 'in-place', path: repository.root });
    const folder = temporaryFolder();
    const root = join(folder, 'plain');
    writeFiles(root, { 'a.txt': 'a', 'node_modules/x/y.js': '1' });
    const plain = await makeWorkspace(workspaceSpec({ home: join(folder, 'home'), root }));
    expect(plain).toMatchObject({ kind: 'plain', path: root, commonDir: null, configHash: '' });
    expect(gitIn(plain.shadow, 'ls-tree', '-r', '--name-only', plain.baseTree)).toBe('a.txt');
    expect(existsSync(join(root, '.git'))).toBe(false);
  });

  it('refuses ids that could mean something to a shell, a ref or a path', async () => {
    const repository = temporaryRepository();
    for (const runId of ['..', 'a/b', '-x', 'a b', 'x.lock', '', 'a'.repeat(300), 'a\n'])
      await expect(makeWorkspace(workspaceSpec(repository, { runId }))).rejects.toMatchObject({
        code: 'RUN_ID_INVALID',
      });
  });
});

describe('partial work', () => {
  it('is what the trees say, beside what the agent says', async () => {
    const run = await preparedWorkspace({ changed: '1', deleted: '1', same: '1' });
    writeFiles(run.path, { changed: '2', 'new file': '1' });
    rmSync(join(run.path, 'deleted'));
    const file = join(run.repository.folder, 'notes.json');
    writeFileSync(
      file,
      JSON.stringify({ completed: ['one'], created_files: ['new file', 'promised'], next_actions: ['two'] }),
    );
    const notes = readCheckpointNotes(file);
    const { tree } = await takeCheckpoint({ ...run, number: 1, reason: 'x', notes });
    expect(await partialWork({ ...run, tree, notes, deliveredTree: null })).toEqual({
      created: ['new file'],
      changed: ['changed'],
      deleted: ['deleted'],
      completed: ['one'],
      missing: ['two', 'promised'],
      delivered: false,
    });
    expect(await partialWork({ ...run, tree, notes, deliveredTree: tree })).toMatchObject({
      delivered: true,
    });
  });

  it('takes no notes from a file that is not one', async () => {
    const file = join(temporaryFolder(), 'notes');
    expect(readCheckpointNotes(file)).toBeNull();
    writeFileSync(file, '{"completed": "all"}');
    expect(readCheckpointNotes(file)).toBeNull();
    writeFileSync(file, '{"completed": [');
    expect(readCheckpointNotes(file)).toBeNull();
  });
});
