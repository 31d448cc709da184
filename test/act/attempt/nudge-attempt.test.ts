/** The act that leaves a message for a working agent. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { nudgeAttempt } from '../../../src/act/attempt/stop-attempt.ts';
import { agentFiles, attemptDir } from '../../../src/act/run-files.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'mayday-nudge-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

it('a keeper that takes over leaves a message that was taken no second time', async () => {
  const { left, taken } = agentFiles(attemptDir(home, 'k7f2', 1)).nudge;
  mkdirSync(dirname(left), { recursive: true });
  const leave = () =>
    nudgeAttempt({ home, state: { runId: 'k7f2' } } as never, { attempt: 1, text: 'You "loop".' } as never);
  await leave();
  await leave();
  expect(JSON.parse(readFileSync(left, 'utf8'))).toBe('You "loop".');
  renameSync(left, taken);
  await leave();
  expect(existsSync(left)).toBe(false);
});
