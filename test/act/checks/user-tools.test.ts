import {
  chmodSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { changedTools, userTools } from '../../../src/act/checks/user-tools.ts';
import { temporaryDirectory } from '../../temporary-directory.ts';

/** A tool with two names, as pnpm installs it: one in the project, one in its store. */
function installedTool() {
  const folder = temporaryDirectory();
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  const tool = join(bin, 'lint');
  writeFileSync(tool, '#!/bin/sh\nexit 1\n');
  chmodSync(tool, 0o755);
  linkSync(tool, join(folder, 'store'));
  return { folder, tool, env: { PATH: bin, HOME: join(folder, 'home') } };
}

it.each([
  ['a script', 20],
  ['a large program', 5_000_000],
])('%s is unchanged when another project installs it too: it only gets one more name', async (_, bytes) => {
  const { folder, env, tool } = installedTool();
  writeFileSync(tool, Buffer.alloc(bytes, 'x'));
  const before = await userTools(env);
  linkSync(tool, join(folder, 'elsewhere'));
  expect(await changedTools(before, env)).toEqual([]);
});

it('a rewritten tool is seen, although its size and time are as before and it got one more name', async () => {
  const { folder, env, tool } = installedTool();
  const before = await userTools(env);
  const { atime, mtime } = statSync(tool);
  writeFileSync(tool, '#!/bin/sh\nexit 0\n');
  utimesSync(tool, atime, mtime);
  linkSync(tool, join(folder, 'elsewhere'));
  expect(await changedTools(before, env)).toEqual([tool]);
});

it('a linked tool is seen that is now reached in another folder, although its file is the same one', async () => {
  const folder = temporaryDirectory();
  for (const name of ['bin', 'one', 'elsewhere']) mkdirSync(join(folder, name));
  const text = '#!/bin/sh\n. "$(dirname "$(realpath "$0")")/../rules"\n';
  writeFileSync(join(folder, 'one/lint'), text, { mode: 0o755 });
  symlinkSync('one', join(folder, 'current'));
  symlinkSync('../current/lint', join(folder, 'bin/lint'));
  const env = { PATH: join(folder, 'bin'), HOME: join(folder, 'home') };
  const before = await userTools(env);
  expect(await changedTools(before, env)).toEqual([]);
  rmSync(join(folder, 'current'));
  renameSync(join(folder, 'one'), join(folder, 'elsewhere/two'));
  symlinkSync('elsewhere/two', join(folder, 'current'));
  expect(await changedTools(before, env)).toEqual([join(folder, 'bin/lint')]);
});

it('a linked tool is seen too where the folder that it lay in became a link', async () => {
  const folder = temporaryDirectory();
  for (const name of ['bin', 'one', 'elsewhere']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'one/lint'), '#!/bin/sh\n', { mode: 0o755 });
  symlinkSync('../one/lint', join(folder, 'bin/lint'));
  const env = { PATH: join(folder, 'bin'), HOME: join(folder, 'home') };
  const before = await userTools(env);
  renameSync(join(folder, 'one'), join(folder, 'elsewhere/two'));
  symlinkSync('elsewhere/two', join(folder, 'one'));
  expect(await changedTools(before, env)).toEqual([join(folder, 'bin/lint')]);
});

it('a link whose program is gone is the same link at every look', async () => {
  const folder = temporaryDirectory();
  for (const name of ['bin', 'one']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'one/lint'), '#!/bin/sh\n', { mode: 0o755 });
  symlinkSync('../one/lint', join(folder, 'bin/lint'));
  const env = { PATH: join(folder, 'bin'), HOME: join(folder, 'home') };
  await userTools(env);
  rmSync(join(folder, 'one/lint'));
  const before = await userTools(env);
  expect(await changedTools(before, env)).toEqual([]);
});

it('a folder of modules that cannot be listed hides nothing else', async () => {
  const { env, tool } = installedTool();
  mkdirSync(join(env.HOME, '.local/lib/python3.12'), { recursive: true });
  writeFileSync(join(env.HOME, '.local/lib/python3.12/site-packages'), 'a file of that name');
  expect(Object.keys((await userTools(env)).reached)).toEqual([tool]);
});

it('a folder with two names on the PATH is told under its first', async () => {
  const { folder, env, tool } = installedTool();
  const other = join(folder, 'other');
  symlinkSync(env.PATH, other);
  const both = { ...env, PATH: `${env.PATH}:${other}` };
  const before = await userTools(both);
  writeFileSync(tool, '#!/bin/sh\nexit 0\n');
  expect(await changedTools(before, both)).toEqual([tool]);
});

it('a second name of a folder on the PATH is looked at on its own, once it is a folder of its own', async () => {
  const { folder, env } = installedTool();
  const other = join(folder, 'other');
  symlinkSync(env.PATH, other);
  const both = { ...env, PATH: `${env.PATH}:${other}` };
  const before = await userTools(both);
  rmSync(other);
  mkdirSync(other);
  writeFileSync(join(other, 'lint'), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
  expect(await changedTools(before, both)).toEqual([join(other, 'lint')]);
});

it('other work of the process gets its turn while many tools are looked at', async () => {
  const { env } = installedTool();
  for (let number = 0; number < 500; number += 1) writeFileSync(join(env.PATH, `tool-${number}`), 'x');
  let turns = 0;
  const count = () => {
    turns += 1;
    waiting = setImmediate(count);
  };
  let waiting = setImmediate(count);
  await userTools(env);
  clearImmediate(waiting);
  expect(turns).toBeGreaterThan(1);
});

it('a virtual environment on the PATH is looked at with its modules, and with what they have other programs load', async () => {
  const { folder, env } = installedTool();
  const modules = join(folder, 'lib/python3.12/site-packages');
  mkdirSync(join(modules, 'pytest'), { recursive: true });
  const write = (path: string, text: string) => writeFileSync(join(modules, path), text);
  write('pytest/__init__.py', 'def main(): ...');
  writeFileSync(join(folder, 'pyvenv.cfg'), 'home = /usr/bin\n');
  const before = await userTools(env);
  write('installed_by_the_agent.py', '');
  write('entry_points.txt', '[console_scripts]\na = a:b\n');
  expect(await changedTools(before, env)).toEqual([]);
  write('pytest/__init__.py', 'raise SystemExit(0)');
  for (const path of ['evil.pth', 'sitecustomize.py', 'pytest.py', 'compiled.pyc']) write(path, '');
  writeFileSync(join(folder, 'pyvenv.cfg'), 'home = /elsewhere\n');
  write('entry_points.txt', '[pytest11]\na = a\n');
  expect((await changedTools(before, env)).toSorted()).toEqual(
    [
      'compiled.pyc',
      'entry_points.txt',
      'evil.pth',
      'pytest.py',
      'pytest/__init__.py',
      'sitecustomize.py',
      '../../../pyvenv.cfg',
    ].map((path) => join(modules, path)),
  );
});
