/** What a killed process leaves of a command is deleted by the next one that looks; what a living one uses is left alone. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  commandFolder,
  removeCommandFolder,
  sweepCommands,
} from '../../../src/platform/process/command-folder.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'mayday-test-home-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const left = () => readdirSync(join(home, 'commands'));

/** Makes a folder for a command in a process that is killed with it. */
function killedWith(temporary: string): void {
  const file = new URL('../../../src/platform/process/command-folder.ts', import.meta.url).href;
  const script = `import { commandFolder } from ${JSON.stringify(file)};
    await commandFolder(${JSON.stringify(home)}, ${JSON.stringify(temporary)});
    process.kill(process.pid, 'SIGKILL');`;
  const { signal } = spawnSync(process.execPath, ['--no-warnings', '--input-type=module', '-e', script]);
  expect(signal).toBe('SIGKILL');
}

it('the folders of a killed process go, in the home and in the temporary folder', async () => {
  const temporary = mkdtempSync(join(tmpdir(), 'mayday-check-'));
  killedWith(temporary);
  expect(left()).toHaveLength(2);
  await sweepCommands(home);
  expect(left()).toEqual([]);
  expect(existsSync(temporary)).toBe(false);
});

it('the folder of a living process stays, and goes with its note when the command is over', async () => {
  const folder = await commandFolder(home, null);
  await sweepCommands(home);
  expect(existsSync(folder)).toBe(true);
  await removeCommandFolder(folder);
  expect(left()).toEqual([]);
});

it('a folder elsewhere, a note that cannot be read and a home without commands are left alone', async () => {
  await sweepCommands(home);
  const elsewhere = join(home, 'mayday-check-x');
  mkdirSync(elsewhere);
  killedWith(elsewhere);
  writeFileSync(join(home, 'commands', 'torn.json'), '{');
  await sweepCommands(home);
  expect(left()).toEqual(['torn.json']);
  expect(existsSync(elsewhere)).toBe(true);
});
