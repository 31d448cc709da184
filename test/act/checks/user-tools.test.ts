import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { changedTools, userTools } from '../../../src/act/checks/user-tools.ts';

/** A tool with two names, as pnpm installs it: one in the project, one in its store. */
function installedTool() {
  const folder = mkdtempSync(join(tmpdir(), 'mayday-tools-'));
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
])('%s is unchanged when another project installs it too: it only gets one more name', (_, bytes) => {
  const { folder, env, tool } = installedTool();
  writeFileSync(tool, Buffer.alloc(bytes, 'x'));
  const before = userTools(env);
  linkSync(tool, join(folder, 'elsewhere'));
  expect(changedTools(before, env)).toEqual([]);
});

it('a rewritten tool is seen, although its size and time are as before and it got one more name', () => {
  const { folder, env, tool } = installedTool();
  const before = userTools(env);
  const { atime, mtime } = statSync(tool);
  writeFileSync(tool, '#!/bin/sh\nexit 0\n');
  utimesSync(tool, atime, mtime);
  linkSync(tool, join(folder, 'elsewhere'));
  expect(changedTools(before, env)).toEqual([tool]);
});

it('a folder of modules that cannot be listed hides nothing else', () => {
  const { env, tool } = installedTool();
  mkdirSync(join(env.HOME, '.local/lib/python3.12'), { recursive: true });
  writeFileSync(join(env.HOME, '.local/lib/python3.12/site-packages'), 'a file of that name');
  expect(Object.keys(userTools(env))).toEqual([tool]);
});

it('a folder with two names on the PATH is told under both', () => {
  const { folder, env, tool } = installedTool();
  const other = join(folder, 'other');
  symlinkSync(env.PATH, other);
  const both = { ...env, PATH: `${env.PATH}:${other}` };
  const before = userTools(both);
  writeFileSync(tool, '#!/bin/sh\nexit 0\n');
  expect(changedTools(before, both)).toEqual([tool, join(other, 'lint')]);
});
