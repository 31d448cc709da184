import { describe, expect, it } from 'vitest';
import { oomKills, wasOutOfMemory } from '../../../src/platform/container/oom.ts';

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
