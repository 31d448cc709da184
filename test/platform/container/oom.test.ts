import { accessSync, constants, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { oomKills, wasOutOfMemory } from '../../../src/platform/container/oom.ts';
import { agentProgram, seen, startAttempt } from '../attempt-under-test.ts';

describe('a SIGKILL', () => {
  const killed = { pid: null, startedAtMonotonicMs: 0 };

  it('is out of memory when the kernel counted one more such kill', () => {
    expect(wasOutOfMemory({ ...killed, oomKillsBefore: 2, oomKillsNow: 3 })).toBe(true);
  });

  it('is not when the count stood still', () => {
    expect(wasOutOfMemory({ ...killed, oomKillsBefore: 2, oomKillsNow: 2 })).toBe(false);
  });

  it('stays unexplained where nothing counts', () => {
    expect(wasOutOfMemory({ ...killed, oomKillsBefore: null, oomKillsNow: null })).toBeNull();
  });

  it('of a process that no kernel log names is not blamed on memory', () => {
    const nobody = { pid: 2 ** 22 + 1, startedAtMonotonicMs: 0, oomKillsBefore: null, oomKillsNow: null };
    expect(wasOutOfMemory(nobody)).not.toBe(true);
  });
});

it('the counter of this machine is a number, or honestly unknown', () => {
  const count = oomKills();
  expect(count === null || (Number.isInteger(count) && count >= 0)).toBe(true);
});

const MEMORY_GROUPS = '/sys/fs/cgroup/memory';
const LIMIT_BYTES = 64 * 1024 ** 2;
const canLimit = ((): boolean => {
  try {
    accessSync(MEMORY_GROUPS, constants.W_OK);
    return true;
  } catch {
    return false;
  }
})();

it.skipIf(!canLimit)(
  'an agent that the kernel killed for its memory is told so, or the cause is unknown, never another',
  async () => {
    const group = join(MEMORY_GROUPS, `mayday-test-${process.pid}`);
    mkdirSync(group);
    onTestFinished(() => rmdirSync(group));
    writeFileSync(join(group, 'memory.limit_in_bytes'), String(LIMIT_BYTES));
    const allocates = agentProgram('allocates.mjs', '512').join(' ');
    const handle = await startAttempt(['sh', '-c', `echo $$ > ${group}/cgroup.procs; exec ${allocates}`]);
    const { exit } = await seen(handle, (now) => now.exit !== null && now.empty);
    expect(readFileSync(join(group, 'memory.oom_control'), 'utf8')).toMatch(/^oom_kill [1-9]/m);
    expect(exit).toMatchObject({ exitCode: null, signal: 'SIGKILL' });
    expect(exit?.oomKilled).not.toBe(false);
  },
);
