import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { ContainerHandle } from '../../../src/platform/container/container-handle.ts';
import { containerStanding } from '../../../src/platform/container/container-handle.ts';
import { isEmpty, observe } from '../../../src/platform/container/observe.ts';
import { systemProgram } from '../../../src/platform/process/system-program.ts';
import { askWitness } from '../../../src/platform/container/witness.ts';
import { eventually, seen, startAttempt } from '../attempt-under-test.ts';
import { temporaryDirectory } from '../../temporary-directory.ts';

/** The same attempt as a process sees it that cannot see its processes. */
function fromElsewhere(handle: ContainerHandle): ContainerHandle {
  const hidden = { host: 'another', bootId: 'another' };
  return {
    ...handle,
    attendant: { ...handle.attendant, ...hidden },
    leader: handle.leader && { ...handle.leader, ...hidden },
  };
}

const asked = (handle: ContainerHandle) => askWitness(handle.attemptDir, handle.witness ?? '');

it('the witness is held while the agent lives, and free once it has ended', async () => {
  const handle = await startAttempt(['sleep', '300']);
  expect(asked(handle)).toBe('held');
  process.kill(handle.leader?.pid ?? expect.fail('no leader'), 'SIGKILL');
  await seen(handle, ({ empty }) => empty);
  expect(asked(handle)).toBe('free');
});

it('the witness is held by the agent alone when its attendant is killed', async () => {
  const handle = await startAttempt(['sleep', '300'], { level: 'process-group' });
  process.kill(handle.attendant.pid, 'SIGKILL');
  await seen(handle, ({ attendant }) => attendant === 'gone' || attendant === 'zombie');
  expect(asked(handle)).toBe('held');
  process.kill(handle.leader?.pid ?? expect.fail('no leader'), 'SIGKILL');
  await eventually(
    () => asked(handle),
    (answer) => answer === 'free',
  );
});

it('the witness is held by a child that the agent left behind with its output', async () => {
  const handle = await startAttempt(['sh', '-c', 'setsid sleep 300 & echo $! >pid'], {
    level: 'process-group',
  });
  await seen(handle, ({ exit }) => exit !== null);
  expect(asked(handle)).toBe('held');
  process.kill(Number(readFileSync(join(handle.attemptDir, 'pid'), 'utf8')), 'SIGKILL');
  await eventually(
    () => asked(handle),
    (answer) => answer === 'free',
  );
});

it('those who ask do not hinder each other', async () => {
  const handle = await startAttempt(['true']);
  await seen(handle, ({ empty }) => empty);
  const stdout = join(handle.attemptDir, 'stdout');
  const asker = spawn(systemProgram('flock'), ['--shared', stdout, 'sh', '-c', 'echo asks; read end']);
  onTestFinished(() => void asker.kill('SIGKILL'));
  await once(asker.stdout, 'data');
  expect(asked(handle)).toBe('free');
});

it('files of the same name in a copy of the folder say nothing', async () => {
  const handle = await startAttempt(['sleep', '300']);
  const copy = join(temporaryDirectory(), 'copy');
  cpSync(handle.attemptDir, copy, { recursive: true });
  expect(askWitness(copy, handle.witness ?? '')).toBe('unknown');
  rmSync(join(copy, 'stdout'));
  expect(askWitness(copy, handle.witness ?? '')).toBe('unknown');
});

it('processes on another machine are unseen: neither empty nor gone, until a person says so', async () => {
  const handle = await startAttempt(['true']);
  await seen(handle, ({ empty }) => empty);
  const elsewhere = fromElsewhere(handle);
  expect(containerStanding(elsewhere)).toBe('unseen');
  expect(await isEmpty(elsewhere)).toBe(false);
  expect(await observe(elsewhere)).toMatchObject({ attendant: 'unseen', leader: 'unseen', empty: false });
  expect(await isEmpty({ ...elsewhere, declaredGone: true })).toBe(true);
});
