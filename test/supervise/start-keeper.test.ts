import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { isAlive } from '../../src/platform/process/process-identity.ts';
import { keeperLog, lastKeeper, startKeeper } from '../../src/supervise/start-keeper.ts';

const folder = mkdtempSync(join(tmpdir(), 'mayday-start-keeper-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const PATIENCE = { timeout: 60_000, interval: 20 };

test('the log of a keeper tells why it cannot keep its run', async () => {
  const home = mkdtempSync(`${folder}/`);
  startKeeper(home, 'none', process.env);
  const keeper = lastKeeper('none');
  await expect.poll(() => readFileSync(keeperLog(home, 'none'), 'utf8'), PATIENCE).toContain('none');
  await expect.poll(() => keeper !== null && isAlive(keeper), PATIENCE).toBe(false);
});

test('a log that cannot be written is told to the caller', () => {
  const home = mkdtempSync(`${folder}/`);
  mkdirSync(keeperLog(home, 'none'), { recursive: true });
  expect(() => startKeeper(home, 'none', process.env)).toThrow('EISDIR');
});
