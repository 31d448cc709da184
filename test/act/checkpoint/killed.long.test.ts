/** The process that saves or restores is killed around its n-th call of git, for every n; the next look finishes what it began. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { restoreCheckpoint } from '../../../src/act/checkpoint/restore-checkpoint.ts';
import { takeCheckpoint } from '../../../src/act/checkpoint/take-checkpoint.ts';
import { verifyCheckpoint } from '../../../src/act/checkpoint/verify-checkpoint.ts';
import { SEED } from '../../lane.ts';
import { killingGit } from '../killing-git.ts';
import { preparedWorkspace, writeFiles } from '../temporary-repository.ts';

const PROGRAM = resolve(import.meta.dirname, '../../fixtures/checkpoint-process.ts');
/** Each call is a process; a few of them from the seed of the suite, all with MAYDAY_CRASH_ALL=1. */
const STRIDE = process.env['MAYDAY_CRASH_ALL'] === '1' ? 1 : 6;
const FIRST = 1 + (SEED % STRIDE);
const LIMIT_MS = 10 * 60_000;

type Prepared = Awaited<ReturnType<typeof preparedWorkspace>>;
type When = 'before' | 'after';

/** Whether the process was killed: by a git that kills its caller at its n-th call, before or after it does what it was asked. */
function killedAt(
  run: Prepared,
  kind: 'checkpoint' | 'restore',
  spec: object,
  n: number,
  when: When,
): boolean {
  const git = killingGit(run.repository.folder, n, when === 'before' ? 'caller' : 'caller afterwards');
  const env = { ...process.env, PATH: git.PATH };
  const args = [
    '--no-warnings',
    PROGRAM,
    kind,
    JSON.stringify({ home: run.home, runId: run.runId, ...spec }),
  ];
  const { stdout, signal, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
  if (git.calls() < n) expect(stdout, stderr).not.toBe('');
  else expect(signal).toBe('SIGKILL');
  return git.calls() >= n;
}

const holds = async (run: Prepared, number: number) =>
  expect(await verifyCheckpoint({ home: run.home, runId: run.runId, number })).toEqual({
    holds: true,
    problems: [],
  });

describe.each(['before', 'after'] as const)('killed %s a call of git', (when) => {
  it(
    'a checkpoint is taken whole by the next look',
    async () => {
      for (let n = FIRST, wasKilled = true; wasKilled; n += STRIDE) {
        const run = await preparedWorkspace({ 'a.txt': 'a\n', 'gone.txt': 'x\n', '.gitignore': '.env\n' });
        writeFiles(run.path, { 'a.txt': 'changed\n', 'new/b.txt': 'b\n', '.env': 'K=1' });
        rmSync(join(run.path, 'gone.txt'));
        wasKilled = killedAt(run, 'checkpoint', { number: 1, ignoredToInclude: ['.env'] }, n, when);
        const more = { reason: 'test', ignoredToInclude: ['.env'] };
        const saved = await takeCheckpoint({ home: run.home, runId: run.runId, number: 1, ...more });
        expect(saved, `killed ${when} call ${n}`).toMatchObject({
          state: 'complete',
          files: 3,
          hasExtras: true,
        });
        await holds(run, 1);
      }
    },
    LIMIT_MS,
  );

  it(
    'a restore is finished by the next look, and what was there before is in a checkpoint',
    async () => {
      for (let n = FIRST, wasKilled = true; wasKilled; n += STRIDE) {
        const run = await preparedWorkspace({ 'a.txt': 'base\n', 'd.txt': 'd\n' });
        const key = { home: run.home, runId: run.runId };
        writeFiles(run.path, { 'a.txt': 'good\n' });
        await takeCheckpoint({ ...key, number: 1, reason: 'test' });
        writeFiles(run.path, { 'a.txt': 'bad\n', 'junk/x': 'x\n' });
        rmSync(join(run.path, 'd.txt'));
        await takeCheckpoint({ ...key, number: 2, reason: 'test' });
        const spec = { number: 1 };
        wasKilled = killedAt(run, 'restore', spec, n, when);
        await restoreCheckpoint({ ...key, ...spec, liveProcesses: 0 });
        expect(readFileSync(join(run.path, 'a.txt'), 'utf8'), `killed ${when} call ${n}`).toBe('good\n');
        expect(readFileSync(join(run.path, 'd.txt'), 'utf8')).toBe('d\n');
        expect(existsSync(join(run.path, 'junk'))).toBe(false);
        await holds(run, 3);
        await restoreCheckpoint({ ...key, number: 3, liveProcesses: 0 });
        expect(readFileSync(join(run.path, 'a.txt'), 'utf8')).toBe('bad\n');
        expect(readFileSync(join(run.path, 'junk/x'), 'utf8')).toBe('x\n');
      }
    },
    LIMIT_MS,
  );
});
