import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import {
  ATTENDANT_LOG_FILE,
  CLAIM_FILE,
  STDOUT_FILE,
} from '../../../src/platform/container/attempt-files.ts';
import {
  callAttendant,
  dismissAttendant,
  type WaitingAttendant,
} from '../../../src/platform/container/call-attendant.ts';
import { cgroupMembers, cgroupPathFor } from '../../../src/platform/container/cgroup.ts';
import { findAttempt, startContained } from '../../../src/platform/container/container.ts';
import { availableLevels, bestLevel } from '../../../src/platform/container/container-level.ts';
import { expectAttendants, servesAgain } from '../../../src/platform/container/spare-attendants.ts';
import { identify, isAlive } from '../../../src/platform/process/process-identity.ts';
import {
  descendantsOf,
  HAS_PROC,
  listProcesses,
  readOrNull,
  readProcess,
} from '../../../src/platform/process/proc-table.ts';
import { ReadyCommand } from '../../../src/platform/process/ready-command.ts';
import { runCommand } from '../../../src/platform/process/run-command.ts';
import { eventually, leaveNothing, newMarker, seen } from '../attempt-under-test.ts';
import { temporaryDirectory } from '../../temporary-directory.ts';

const STARTER = resolve(import.meta.dirname, '../../fixtures/waiting-starter.ts');

async function called(
  attemptDir: string,
  ...level: Parameters<typeof callAttendant> extends [string, ...infer Rest] ? Rest : never
): Promise<WaitingAttendant> {
  const attendant = await callAttendant(attemptDir, ...level);
  onTestFinished(() => {
    attendant?.child.kill('SIGKILL');
  });
  return attendant ?? expect.fail('this machine offers no such container');
}

function isChild(pid: number, { child }: WaitingAttendant): boolean {
  return readProcess(pid)?.parentPid === child.pid;
}

function planFor(attemptDir: string, argv: string[]): Parameters<typeof startContained>[0] {
  const env = { PATH: '/usr/bin:/bin' };
  return { attemptDir, argv, cwd: attemptDir, env, stdinFile: null, marker: newMarker() };
}

it.each(await availableLevels())(
  'an attendant that waits starts the agent of its plan, in a container of level %s',
  async (level) => {
    const attemptDir = temporaryDirectory();
    const attendant = await called(attemptDir, level);
    expect(await findAttempt(attemptDir), 'it claims nothing before it has a plan').toBeNull();
    const handle = await startContained({
      ...planFor(attemptDir, ['sh', '-c', 'echo ran']),
      level,
      attendant,
    });
    leaveNothing(handle);
    expect(handle.level).toBe(level);
    await seen(handle, ({ exit, empty }) => exit?.exitCode === 0 && empty);
    expect(readFileSync(join(attemptDir, STDOUT_FILE), 'utf8')).toBe('ran\n');
    expect(readdirSync(attemptDir).filter((name) => name.startsWith('plan-'))).toEqual([]);
  },
);

it.skipIf(!(await availableLevels()).includes('cgroup'))(
  'an attendant that knows its marker waits in the control group of its agent, and leaves none behind without a plan',
  async () => {
    const group = (marker: string) => cgroupPathFor(marker) ?? expect.fail('no control groups');
    const [meant, other, killed] = [newMarker(), newMarker(), newMarker()];
    const waiting = async (marker: string) => {
      const attendant = await called(temporaryDirectory(), 'cgroup', marker);
      await eventually(
        () => cgroupMembers(group(marker)),
        // The attendant itself, or what becomes the agent.
        ([pid = 0, ...others]) =>
          others.length === 0 && (pid === attendant.child.pid || isChild(pid, attendant)),
      );
      return attendant;
    };
    const attendant = await waiting(meant);
    const plan = { ...planFor(attendant.attemptDir, ['cat', '/proc/self/cgroup']), marker: meant };
    const handle = await startContained({ ...plan, attendant });
    leaveNothing(handle);
    expect(handle.cgroupPath).toBe(group(meant));
    await seen(handle, ({ exit, empty }) => exit?.exitCode === 0 && empty);
    expect(readFileSync(join(attendant.attemptDir, STDOUT_FILE), 'utf8')).toContain(basename(group(meant)));

    const dismissed = await waiting(other);
    const ended = once(dismissed.child, 'exit');
    dismissAttendant(dismissed);
    await ended;
    const lost = await waiting(killed);
    const died = once(lost.child, 'exit');
    lost.child.kill('SIGKILL');
    await died;
    dismissAttendant(lost);
    expect(existsSync(group(other))).toBe(false);
    await eventually(
      () => existsSync(group(killed)),
      (isThere) => !isThere,
    );
  },
);

it.skipIf(!(await availableLevels()).includes('cgroup'))(
  'an attendant that waits in another control group than its plan names leaves it',
  async () => {
    const [early, meant] = [newMarker(), newMarker()];
    const attendant = await called(temporaryDirectory(), 'cgroup', early);
    const handle = await startContained({
      ...planFor(attendant.attemptDir, ['true']),
      marker: meant,
      attendant,
    });
    leaveNothing(handle);
    await seen(handle, ({ exit, empty }) => exit?.exitCode === 0 && empty);
    expect(handle.cgroupPath).toBe(cgroupPathFor(meant));
    expect(existsSync(cgroupPathFor(early) ?? '')).toBe(false);
  },
);

it('an attendant that is let go without a plan ends and has claimed nothing', async () => {
  const attemptDir = temporaryDirectory();
  const attendant = await called(attemptDir);
  const ended = once(attendant.child, 'exit');
  dismissAttendant(attendant);
  expect((await ended)[0]).toBe(0);
  expect(existsSync(join(attemptDir, CLAIM_FILE))).toBe(false);
});

it('an attendant whose starter is killed before there is a plan ends and has claimed nothing', async () => {
  const attemptDir = temporaryDirectory();
  const starter = spawn(process.execPath, ['--no-warnings', STARTER, attemptDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said] = (await once(starter.stdout, 'data')) as [Buffer];
  const attendant = identify(Number(said)) ?? expect.fail('no attendant');
  starter.kill('SIGKILL');
  await eventually(
    () => isAlive(attendant),
    (alive) => !alive,
  );
  expect(existsSync(join(attemptDir, CLAIM_FILE))).toBe(false);
});

it('an attendant that was killed while it waited is replaced, and the agent runs once', async () => {
  const attemptDir = temporaryDirectory();
  const attendant = await called(attemptDir);
  const killed = once(attendant.child, 'exit');
  attendant.child.kill('SIGKILL');
  await killed;
  const plan = planFor(attemptDir, ['sh', '-c', 'echo ran']);
  const handle = await startContained({ ...plan, attendant });
  leaveNothing(handle);
  await seen(handle, ({ exit, empty }) => exit?.exitCode === 0 && empty);
  expect(readFileSync(join(attemptDir, STDOUT_FILE), 'utf8')).toBe('ran\n');
  expect(readdirSync(attemptDir).filter((name) => name.startsWith('plan-'))).toEqual([]);
});

it('a command that was made ready is taken by the first command only, and what no command takes is gone', async () => {
  const home = temporaryDirectory();
  const hidden = { home, show: [], inside: { runId: 'r', blocker: null } };
  const env = { PATH: '/usr/bin:/bin' };
  const run = async (ready: ReadyCommand) =>
    (await runCommand({ argv: ['echo', 'ran'], cwd: '/', env, timeoutMs: 30_000, hidden, ready })).output;
  const ready = await ReadyCommand.make(home);
  expect(readdirSync(join(home, 'commands')), 'its folder and the note of its owner').toHaveLength(2);
  expect([await run(ready), await run(ready)]).toEqual(['ran\n', 'ran\n']);
  expect(readdirSync(join(home, 'commands'))).toEqual([]);
  const unused = await ReadyCommand.make(home);
  await unused.drop();
  expect(readdirSync(join(home, 'commands'))).toEqual([]);
});

/** Attendants of this process that have no place yet. */
function spares(): number[] {
  const isSpare = (pid: number) => /attendant\.[jt]s\0$/.test(readOrNull(`/proc/${pid}/cmdline`) ?? '');
  return descendantsOf([process.pid], listProcesses()).flatMap(({ pid }) => (isSpare(pid) ? [pid] : []));
}

it.skipIf(!HAS_PROC)(
  'attendants that are expected are those that the next calls get, each once',
  async () => {
    await expectAttendants(1);
    await expectAttendants(2);
    // One that serves again is enough for all.
    const count = servesAgain(await bestLevel()) ? 1 : 2;
    const expected = await eventually(spares, (pids) => pids.length === count);
    const directories = [temporaryDirectory(), temporaryDirectory(), temporaryDirectory()];
    const pids: number[] = [];
    for (const attemptDir of directories) {
      const attendant = await called(attemptDir, undefined, newMarker());
      pids.push(attendant.child.pid ?? 0);
      const plan = planFor(attemptDir, ['sh', '-c', 'echo ran']);
      const handle = await startContained({ ...plan, attendant });
      leaveNothing(handle);
      await seen(handle, ({ exit, empty }) => exit?.exitCode === 0 && empty);
      expect(readFileSync(join(attemptDir, STDOUT_FILE), 'utf8')).toBe('ran\n');
      expect(existsSync(join(attemptDir, ATTENDANT_LOG_FILE)), 'what it says is kept').toBe(true);
    }
    expect(new Set(pids.slice(0, count))).toEqual(new Set(expected));
    for (const pid of pids.slice(count)) expect(expected).not.toContain(pid);
  },
);

it.skipIf(!HAS_PROC)('an expected attendant that nobody calls ends after a while', async () => {
  await expectAttendants(1);
  await eventually(spares, (pids) => pids.length === 1);
  await eventually(spares, (pids) => pids.length === 0);
});

it.skipIf(!HAS_PROC)('an expected attendant that was killed is given to nobody', async () => {
  await expectAttendants(1);
  const [pid = 0] = await eventually(spares, (pids) => pids.length === 1);
  process.kill(pid, 'SIGKILL');
  await eventually(spares, (pids) => pids.length === 0);
  const attemptDir = temporaryDirectory();
  const attendant = await called(attemptDir);
  const handle = await startContained({ ...planFor(attemptDir, ['true']), attendant });
  leaveNothing(handle);
  await seen(handle, ({ exit, empty }) => exit?.exitCode === 0 && empty);
});

it.skipIf(!HAS_PROC)('an expected attendant that is let go does not make its folder anew', async () => {
  await expectAttendants(1);
  const attemptDir = join(temporaryDirectory(), 'attempt');
  const attendant = await called(attemptDir);
  const ended = once(attendant.child, 'exit');
  // It has not loaded yet: it reads of its place when that is gone.
  dismissAttendant(attendant);
  rmSync(attemptDir, { recursive: true });
  await ended;
  expect(existsSync(attemptDir)).toBe(false);
});
