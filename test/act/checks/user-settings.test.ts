import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import {
  changedUserSettings,
  keepUserSettings,
  lostUserSettings,
} from '../../../src/act/checks/user-settings.ts';

async function kept(files: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), 'mayday-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const user = join(folder, 'user');
  for (const path of ['.config/git', '.config/go']) mkdirSync(join(user, path), { recursive: true });
  const write = (path: string, text: string) => writeFileSync(join(user, path), text);
  for (const [path, text] of Object.entries(files)) write(path, text);
  await keepUserSettings(join(folder, 'home'), 'r1', user);
  const changed = () =>
    changedUserSettings(join(folder, 'home'), 'r1').map(({ from, to }) => ({
      from,
      to: relative(user, to),
    }));
  const above = (path: string, text: string) => writeFileSync(join(folder, path), text);
  const lost = () => lostUserSettings(join(folder, 'home'), 'r1').map((path) => relative(user, path));
  return {
    user,
    write,
    above,
    changed,
    lost,
    again: () => keepUserSettings(join(folder, 'home'), 'r1', user),
  };
}

it('settings that an agent changed, added or filled are laid over by what they were', async () => {
  const { write, changed, again } = await kept({ '.npmrc': 'mine\n', '.gitconfig': '[user]\n' });
  write('.npmrc', 'script-shell=/bin/true\n');
  write('.yarnrc', 'planted\n');
  write('.config/go/env', 'GOFLAGS=-run=NONE\n');
  // What the agent left is never taken for what was there.
  await again();
  const found = changed();
  expect(found.map(({ to }) => to)).toEqual(['.config/go', '.npmrc', '.yarnrc']);
  expect(readFileSync(found[1]?.from ?? '', 'utf8')).toBe('mine\n');
  expect(readFileSync(found[2]?.from ?? '', 'utf8')).toBe('');
});

it('settings that tools find above the check tree are laid over too, in the home and outside it', async () => {
  const { write, above, changed } = await kept({});
  write('go.work', 'go 1.22\n');
  above('go.work', 'go 1.22\n');
  above('conftest.py', 'import os\nos._exit(0)\n');
  above('of-no-list.yaml', 'planted\n');
  expect(changed().map(({ to }) => to)).toEqual([
    '../conftest.py',
    '../go.work',
    'go.work',
    '../of-no-list.yaml',
  ]);
});

it('settings of a tool that no list names, directly in the home, are laid over too; secrets are not copied', async () => {
  const { write, changed, lost, user } = await kept({
    '.toolrc': 'mine\n',
    '.netrc': 'x\n',
    '.lesshst': 'x\n',
  });
  write('.toolrc', 'planted\n');
  for (const path of ['.otherrc', '.other.json', 'verdict', '.netrc', '.lesshst']) write(path, 'planted\n');
  const found = changed();
  expect(found.map(({ to }) => to)).toEqual(['.other.json', '.otherrc', '.toolrc', 'verdict']);
  expect(found.map(({ from }) => readFileSync(from, 'utf8'))).toEqual(['{}\n', '', 'mine\n', '']);
  rmSync(join(user, '.lesshst'));
  expect(lost(), 'programs make and delete such files all day').toEqual([]);
});

it('settings that an agent deleted, or made folders of, are named: nothing can be laid over them', async () => {
  const { user, write, changed, lost } = await kept({ '.npmrc': 'mine\n', '.gitconfig': '', '.bashrc': '' });
  expect(lost()).toEqual([]);
  rmSync(join(user, '.npmrc'));
  rmSync(join(user, '.gitconfig'));
  mkdirSync(join(user, '.gitconfig'));
  write('.bashrc', 'changed\n');
  expect(lost()).toEqual(['.gitconfig', '.npmrc']);
  expect(changed().map(({ to }) => to)).toEqual(['.bashrc']);
});

it('settings as they were, and a run that kept none, need nothing', async () => {
  const { write, changed } = await kept({ '.npmrc': 'mine\n', '.bashrc': 'x'.repeat(300_000) });
  // Too large to be kept.
  write('.bashrc', 'y');
  write('.npmrc', 'mine\n');
  expect(changed()).toEqual([]);
  expect(changedUserSettings('/nonexistent', 'r1')).toEqual([]);
});

it('a pipe in the place of a setting is waited for by nobody, and a link is not followed through the whole disk', async () => {
  const { user, write, changed } = await kept({ '.npmrc': 'mine\n', '.config/go/env': 'GOFLAGS=\n' });
  for (const path of ['.npmrc', '.config/go/env', '.mypy.ini']) {
    rmSync(join(user, path), { force: true });
    execFileSync('mkfifo', [join(user, path)]);
  }
  write('.config/git/config', '[user]\n');
  rmSync(join(user, '.config/git'), { recursive: true });
  symlinkSync('/', join(user, '.config/git'));
  expect(changed().map(({ to }) => to)).toEqual(['.config/git', '.config/go', '.mypy.ini', '.npmrc']);
});
