import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { interpreterOf } from '../../../src/act/checks/barred-path.ts';
import { missingProgram } from '../../../src/act/checks/missing-program.ts';
import { findUser } from '../../../src/platform/process/agent-user.ts';
import { temporaryRepository } from '../temporary-repository.ts';
import { temporaryDirectory } from '../../temporary-directory.ts';

type Files = Readonly<Record<string, string>>;

/** Runs the check in a checkout without the ignored files, as a check tree is, and asks what was missing. */
async function missing(check: string, committed: Files = {}, ignored: Files = {}, allowed = ['**']) {
  const repository = temporaryRepository(committed);
  const tree = join(repository.folder, 'tree');
  repository.git('worktree', 'add', '--quiet', '--detach', tree);
  repository.write(ignored);
  const env = { PATH: process.env['PATH'] ?? '' };
  const { status, stdout } = spawnSync('sh', ['-c', `{ ${check}\n} 2>&1`], {
    cwd: tree,
    env,
    encoding: 'utf8',
  });
  const where = { folder: '', repository: repository.root, tree, allowed, env, user: null };
  return await missingProgram({ command: check, exitCode: status, output: stdout, ...where });
}

describe('a check that cannot run before the work', () => {
  it.each([
    [
      'a tool that the machine lacks',
      'no-such-tool --all',
      {},
      {},
      { program: 'no-such-tool', folder: null },
    ],
    [
      'a tool in an ignored folder of the checkout',
      '.venv/bin/pytest -q',
      { '.gitignore': '.venv\n' },
      { '.venv/bin/pytest': '' },
      { program: '.venv/bin/pytest', folder: '.venv', inCheckout: true },
    ],
    [
      'the same below a folder',
      'cd api && vendor/bin/unit',
      { '.gitignore': 'vendor/\n', 'api/a.php': '' },
      { 'api/vendor/bin/unit': '' },
      { folder: 'api/vendor', inCheckout: true },
    ],
    [
      'a folder for tools that is not there at all',
      '.venv/bin/pytest',
      { 'requirements.txt': 'pytest\n' },
      {},
      { folder: '.venv', inCheckout: false, setup: expect.stringContaining('-m venv .venv') },
    ],
    [
      'a tool behind the script of a package',
      'npm test --silent',
      { '.gitignore': 'node_modules\n', 'package.json': '{"scripts":{"test":"unit-tool"}}' },
      { 'node_modules/.bin/unit-tool': '' },
      { program: 'unit-tool', folder: 'node_modules', inCheckout: true },
    ],
    [
      'what was built, where builds are ignored',
      './target/debug/app --self-test',
      { '.gitignore': 'target\n' },
      { 'target/debug/app': '' },
      { folder: 'target', inCheckout: true },
    ],
  ])('%s', async (_, check, committed, ignored, expected) => {
    expect(await missing(check, committed, ignored)).toMatchObject(expected);
  });

  it('no interpreter, where the program cannot be read', () => {
    // Nobody may read it, root neither.
    expect(interpreterOf('/proc/self/mem')).toBeNull();
    expect(interpreterOf(tmpdir())).toBeNull();
  });

  it('an interpreter that a script names', async () => {
    const repository = temporaryRepository({ 'run.sh': '#!/no/such/shell\n' });
    const output = 'sh: 1: ./run.sh: not found\n';
    const where = {
      folder: '',
      repository: repository.root,
      tree: repository.root,
      allowed: ['**'],
      env: {},
      user: null,
    };
    expect(await missingProgram({ command: './run.sh', exitCode: 127, output, ...where })).toMatchObject({
      program: '/no/such/shell',
      folder: null,
    });
  });

  it('a script outside of what the task may write', async () => {
    expect(await missing('./run-tests.sh', {}, {}, ['src/**'])).toMatchObject({ program: './run-tests.sh' });
  });
});

describe('a check that the work will make run', () => {
  it.each([
    ['a script that is not written yet', './run-tests.sh'],
    ['one that a shell is to read', 'sh run-tests.sh'],
    ['one in a folder that is not there yet', 'cd tools && ./all.sh || ./tools/all.sh'],
    ['a program that reports something else', 'exit 3'],
  ])('%s', async (_, check) => {
    expect(await missing(check)).toBeNull();
  });

  it('a script behind the script of a package', async () => {
    expect(
      await missing('npm test --silent', { 'package.json': '{"scripts":{"test":"./run.sh"}}' }),
    ).toBeNull();
  });
});

it('a script of the repository that lacks the right to be executed is found before an agent starts', async () => {
  const repository = temporaryRepository({ 'run.sh': 'true\n' });
  chmodSync(join(repository.root, 'run.sh'), 0o644);
  const output = 'sh: 1: ./run.sh: Permission denied\n';
  const where = {
    folder: '',
    repository: repository.root,
    tree: repository.root,
    allowed: ['**'],
    env: {},
    user: null,
  };
  expect(await missingProgram({ command: './run.sh', exitCode: 126, output, ...where })).toMatchObject({
    program: './run.sh',
    isThere: true,
    folder: null,
  });
});

it('a copied environment whose interpreter the user may not execute is no missing folder', async () => {
  const repository = temporaryRepository({ '.gitignore': '.venv\n' });
  const outside = temporaryDirectory();
  writeFileSync(join(outside, 'python'), '', { mode: 0o644 });
  mkdirSync(join(repository.root, '.venv/bin'), { recursive: true });
  symlinkSync(join(outside, 'python'), join(repository.root, '.venv/bin/python'));
  const found = await missingProgram({
    command: '.venv/bin/python -m pytest',
    exitCode: 126,
    output: 'sh: 1: .venv/bin/python: Permission denied\n',
    folder: '',
    repository: repository.root,
    tree: repository.root,
    allowed: ['**'],
    env: {},
    user: null,
  });
  const needs = join(outside, 'python');
  expect(found).toMatchObject({ isThere: true, folder: null, barred: { user: null, path: needs, needs } });
});

it.skipIf(process.getuid?.() !== 0)(
  'names the folder on the way that another user may not enter',
  async () => {
    const repository = temporaryRepository({});
    const outside = temporaryDirectory();
    writeFileSync(join(outside, 'tool'), '#!/bin/sh\n', { mode: 0o755 });
    const found = await missingProgram({
      command: 'tool --all',
      exitCode: 127,
      output: 'sh: 1: tool: not found\n',
      folder: '',
      repository: repository.root,
      tree: repository.root,
      allowed: ['**'],
      env: { PATH: outside },
      user: findUser('nobody'),
    });
    expect(found?.barred).toEqual({ user: 'nobody', path: outside, needs: join(outside, 'tool') });
  },
);
