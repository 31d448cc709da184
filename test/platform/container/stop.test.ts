import { spawn } from 'node:child_process';
import { accessSync, constants, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { EXIT_FILE, type ExitNote, readNote } from '../../../src/platform/container/attempt-files.ts';
import type { ContainerHandle } from '../../../src/platform/container/container-handle.ts';
import { availableLevels } from '../../../src/platform/container/container-level.ts';
import { isEmpty } from '../../../src/platform/container/observe.ts';
import { identify, lookAt, selfIdentity } from '../../../src/platform/process/process-identity.ts';
import { kill, signalLeader, stopLadder, terminate } from '../../../src/platform/container/stop.ts';
import { agentProgram, eventually, outputHolds, seen, startAttempt } from '../attempt-under-test.ts';
import { temporaryDirectory } from '../../temporary-directory.ts';

const levels = await availableLevels();
const quick = {
  softSignal: 'SIGINT',
  softMs: 300,
  termMs: 300,
  killEveryMs: 1_000,
  giveUpMs: 10_000,
} as const;

describe.each(levels)('the stop ladder at level %s', (level) => {
  it('ends at the soft signal for an agent that understands it', async () => {
    const handle = await startAttempt(['sleep', '300'], { level });
    expect(await stopLadder(handle, { ...quick, softMs: 20_000 })).toBe('soft');
    expect(readNote<ExitNote>(handle.attemptDir, EXIT_FILE)).toMatchObject({ signal: 'SIGINT' });
  });

  it('ends at TERM for an agent without a soft stop', async () => {
    const handle = await startAttempt(['sleep', '300'], { level });
    expect(await stopLadder(handle, { ...quick, softSignal: null, termMs: 20_000 })).toBe('term');
    expect(readNote<ExitNote>(handle.attemptDir, EXIT_FILE)).toMatchObject({ signal: 'SIGTERM' });
  });

  it('goes to KILL for one that ignores TERM', async () => {
    const handle = await startAttempt(agentProgram('ignores-term.sh'), { level });
    await outputHolds(handle, 'deaf');
    expect(await stopLadder(handle, quick)).toBe('kill');
    expect(readNote<ExitNote>(handle.attemptDir, EXIT_FILE)).toMatchObject({ signal: 'SIGKILL' });
  });

  it('takes what an agent left behind when it went softly', async () => {
    const trap = 'trap "exit 0" INT; setsid sleep 300 & echo up; while :; do sleep 0.05; done';
    const handle = await startAttempt(['sh', '-c', trap], { level });
    await outputHolds(handle, 'up');
    const taken = await stopLadder(handle, { ...quick, softMs: 20_000, termMs: 20_000 });
    // The kernel sweeps a namespace by itself.
    expect(taken).toBe(level === 'pid-namespace' ? 'soft' : 'term');
    expect(await isEmpty(handle)).toBe(true);
    expect(readNote<ExitNote>(handle.attemptDir, EXIT_FILE)).toMatchObject({ exitCode: 0 });
  });

  it('reaches an agent that is stopped: TERM is taken, not left waiting', async () => {
    const handle = await startAttempt(['sleep', '300'], { level });
    process.kill(handle.leader?.pid ?? expect.fail('no leader'), 'SIGSTOP');
    await seen(handle, ({ frozen }) => frozen);
    terminate(handle);
    await eventually(() => isEmpty(handle), Boolean);
    expect(readNote<ExitNote>(handle.attemptDir, EXIT_FILE)).toMatchObject({ signal: 'SIGTERM' });
  });

  it('wakes an attendant that was stopped, so that the exit is still noted', async () => {
    const handle = await startAttempt(['sleep', '300'], { level });
    process.kill(handle.attendant.pid, 'SIGSTOP');
    await seen(handle, ({ attendant }) => attendant === 'stopped');
    await kill(handle);
    await eventually(() => isEmpty(handle), Boolean);
    expect(readNote<ExitNote>(handle.attemptDir, EXIT_FILE)).toMatchObject({ signal: 'SIGKILL' });
  });

  it('takes one that put a folder where its exit is noted', async () => {
    const handle = await startAttempt(agentProgram('ignores-term.sh'), { level });
    await outputHolds(handle, 'deaf');
    mkdirSync(join(handle.attemptDir, EXIT_FILE));
    expect(await stopLadder(handle, quick)).toBe('kill');
    expect(await isEmpty(handle)).toBe(true);
  });

  it('can be left at any moment', async () => {
    const handle = await startAttempt(agentProgram('ignores-term.sh'), { level });
    await outputHolds(handle, 'deaf');
    const signal = AbortSignal.timeout(50);
    await expect(stopLadder(handle, { ...quick, softMs: 60_000, signal })).rejects.toThrow();
    expect(await isEmpty(handle)).toBe(false);
  });
});

describe('nobody else is ever signalled', () => {
  it('not even one who has the recorded number now', async () => {
    const bystander = spawn('sleep', ['300'], { stdio: 'ignore', detached: true });
    onTestFinished(() => void bystander.kill('SIGKILL'));
    const now = identify(bystander.pid ?? 0) ?? expect.fail('no identity');
    const earlier = { ...now, startTicks: now.startTicks - 100 };
    for (const level of levels) {
      const handle: ContainerHandle = {
        level,
        marker: 'gone.1.0',
        attendant: earlier,
        leader: earlier,
        first: earlier,
        cgroupPath: '/sys/fs/cgroup/no-such-group',
        attemptDir: temporaryDirectory(),
      };
      expect(signalLeader(handle, 'SIGKILL')).toBe(false);
      terminate(handle);
      await kill(handle);
      expect(await isEmpty(handle)).toBe(true);
    }
    expect(lookAt(now)).toBe('running');
  });

  it('not after a reboot, when all numbers mean others', async () => {
    const self = selfIdentity();
    const before = { ...self, bootId: 'an earlier boot' };
    const handle: ContainerHandle = {
      level: 'process-group',
      marker: 'gone.1.0',
      attendant: before,
      leader: before,
      attemptDir: temporaryDirectory(),
    };
    await kill(handle);
    expect(await isEmpty(handle)).toBe(true);
  });
});

const FREEZER = '/sys/fs/cgroup/freezer';
const canFreeze = ((): boolean => {
  try {
    accessSync(FREEZER, constants.W_OK);
    return true;
  } catch {
    return false;
  }
})();

// The old freezer makes a process that takes no signal at all, as a hung disk does.
describe.skipIf(!canFreeze)('a process that cannot be killed (needs a writable version 1 freezer)', () => {
  it.each(levels)('is reported as unkillable at level %s, and ends when it is let go', async (level) => {
    const handle = await startAttempt(['sleep', '300'], { level });
    const group = join(FREEZER, `mayday-test-${process.pid}-${level}`);
    mkdirSync(group);
    onTestFinished(async () => {
      writeFileSync(join(group, 'freezer.state'), 'THAWED');
      await eventually(() => isEmpty(handle), Boolean);
      rmdirSync(group);
    });
    writeFileSync(join(group, 'cgroup.procs'), String(handle.leader?.pid));
    writeFileSync(join(group, 'freezer.state'), 'FROZEN');
    const outcome = await stopLadder(handle, { ...quick, killEveryMs: 200, giveUpMs: 1_000 });
    expect(outcome).toBe('unkillable');
    const now = await seen(handle, () => true);
    expect(now).toMatchObject({ leader: 'uninterruptible', empty: false });
    writeFileSync(join(group, 'freezer.state'), 'THAWED');
    await eventually(() => isEmpty(handle), Boolean);
  });
});
