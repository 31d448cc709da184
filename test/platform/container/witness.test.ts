import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { ContainerHandle } from '../../../src/platform/container/container-handle.ts';
import { containerStanding } from '../../../src/platform/container/container-handle.ts';
import { isEmpty, observe } from '../../../src/platform/container/observe.ts';
import { askWitness } from '../../../src/platform/container/witness.ts';
import { eventually, seen, startAttempt } from '../attempt-under-test.ts';

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

it('a pipe of the same name in another place says nothing', async () => {
  const handle = await startAttempt(['true']);
  await seen(handle, ({ empty }) => empty);
  expect(askWitness(handle.attemptDir, '1')).toBe('unknown');
  rmSync(join(handle.attemptDir, 'witness'));
  expect(asked(handle)).toBe('unknown');
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
