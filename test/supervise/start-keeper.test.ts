import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { isAlive } from '../../src/platform/process/process-identity.ts';
import { callKeeper, dismissKeeper } from '../../src/supervise/call-keeper.ts';
import { keeperLog, lastKeeper, startKeeper } from '../../src/supervise/start-keeper.ts';
import { KEEPER } from '../mayday-under-test.ts';

const folder = mkdtempSync(join(tmpdir(), 'mayday-start-keeper-'));
afterEach(dismissKeeper);
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const PATIENCE = { timeout: 60_000, interval: 20 };

test('a keeper that waits and gets no run ends with its starter, and makes no home', async () => {
  const home = join(folder, 'unmade');
  const child = spawn(process.execPath, [KEEPER, home], { stdio: ['pipe', 'ignore', 'ignore'] });
  child.stdin.end();
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(existsSync(home)).toBe(false);
});

test('a keeper that was called takes the run that is started, and its log tells why it cannot', async () => {
  const home = mkdtempSync(`${folder}/`);
  const { env } = process;
  callKeeper(home, env);
  startKeeper(home, 'none', env);
  const keeper = lastKeeper('none');
  await expect.poll(() => readFileSync(keeperLog(home, 'none'), 'utf8'), PATIENCE).toContain('none');
  await expect.poll(() => keeper !== null && isAlive(keeper), PATIENCE).toBe(false);
});

test('a keeper that was called for another home, or died, is not waited for: the run gets a new one', async () => {
  const [home, other] = [mkdtempSync(`${folder}/`), mkdtempSync(`${folder}/`)];
  const { env } = process;
  callKeeper(other, env);
  startKeeper(home, 'none', env);
  await expect.poll(() => readFileSync(keeperLog(home, 'none'), 'utf8'), PATIENCE).toContain('none');
  dismissKeeper();
  startKeeper(other, 'none', env);
  await expect.poll(() => readFileSync(keeperLog(other, 'none'), 'utf8'), PATIENCE).toContain('none');
});

test('a log that cannot be written is told to the caller', () => {
  const home = mkdtempSync(`${folder}/`);
  mkdirSync(keeperLog(home, 'none'), { recursive: true });
  callKeeper(home, process.env);
  expect(() => startKeeper(home, 'none', process.env)).toThrow('EISDIR');
});
