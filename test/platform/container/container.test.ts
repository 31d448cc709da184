import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  CLAIM_FILE,
  type Claim,
  EXIT_FILE,
  type ExitNote,
  readNote,
  SECOND_CLAIM_FILE,
} from '../../../src/platform/container/attempt-files.ts';
import {
  findAttempt,
  forbidStart,
  release,
  startContained,
} from '../../../src/platform/container/container.ts';
import type { ContainerHandle } from '../../../src/platform/container/container-handle.ts';
import { availableLevels, bestLevel } from '../../../src/platform/container/container-level.ts';
import { isEmpty, observe } from '../../../src/platform/container/observe.ts';
import { identify, isAlive } from '../../../src/platform/process/process-identity.ts';
import { kill } from '../../../src/platform/container/stop.ts';
import {
  agentProgram,
  eventually,
  leaveNothing,
  newMarker,
  outputHolds,
  seen,
  startAttempt,
} from '../attempt-under-test.ts';
import { temporaryDirectory } from '../../temporary-directory.ts';

const levels = await availableLevels();
console.log(`container levels on this machine: ${levels.join(', ')}; best: ${await bestLevel()}`);

async function ended(handle: ContainerHandle): Promise<ExitNote> {
  const { exit } = await seen(handle, (now) => now.exit !== null && now.empty);
  return exit ?? expect.fail('no exit note');
}

describe.each(levels)('an agent in a container of level %s', (level) => {
  it('runs with files as stdio, and its exit code is noted', async () => {
    const handle = await startAttempt(['sh', '-c', 'echo out; echo err >&2; exit 7'], { level });
    expect(handle.level).toBe(level);
    expect(await ended(handle)).toMatchObject({ exitCode: 7, signal: null, oomKilled: false });
    expect(readFileSync(join(handle.attemptDir, 'stdout'), 'utf8')).toBe('out\n');
    expect(readFileSync(join(handle.attemptDir, 'stderr'), 'utf8')).toBe('err\n');
    expect(statSync(join(handle.attemptDir, 'stdout')).mode & 0o777).toBe(0o600);
    expect(await isEmpty(handle)).toBe(true);
    expect(existsSync(handle.cgroupPath ?? ''), 'an empty group is given back without being asked').toBe(
      false,
    );
  });

  it('is not held by a stderr that nobody reads, and all of it is kept', async () => {
    const handle = await startAttempt(['sh', '-c', 'head -c 8000000 /dev/zero >&2; exit 5'], { level });
    expect(await ended(handle)).toMatchObject({ exitCode: 5 });
    expect(statSync(join(handle.attemptDir, 'stderr')).size).toBe(8_000_000);
  });

  it('that dies by a signal is told from one that exits with 128 and more', async () => {
    const byCode = await startAttempt(['sh', '-c', 'exit 137'], { level });
    const bySignal = await startAttempt(agentProgram('kills-itself.sh', 'INT'), { level });
    expect(await ended(byCode)).toMatchObject({ exitCode: 137, signal: null });
    expect(await ended(bySignal)).toMatchObject({ exitCode: null, signal: 'SIGINT' });
  });

  it('killed with -9 from outside is noted as SIGKILL, not as out of memory', async () => {
    const handle = await startAttempt(['sleep', '300'], { level });
    process.kill(handle.leader?.pid ?? expect.fail('no leader'), 'SIGKILL');
    const note = await ended(handle);
    expect(note).toMatchObject({ exitCode: null, signal: 'SIGKILL' });
    expect(note.oomKilled).not.toBe(true);
  });

  it('has a closed stdin, or the file it was given', async () => {
    const brief = join(temporaryDirectory(), 'brief');
    writeFileSync(brief, 'twelve bytes');
    const closed = await startAttempt(agentProgram('waits-for-stdin.sh'), { level });
    const given = await startAttempt(agentProgram('waits-for-stdin.sh'), { level, stdinFile: brief });
    await Promise.all([ended(closed), ended(given)]);
    expect(readFileSync(join(closed.attemptDir, 'stdout'), 'utf8')).toBe('stdin ended after 0 bytes\n');
    expect(readFileSync(join(given.attemptDir, 'stdout'), 'utf8')).toBe('stdin ended after 12 bytes\n');
  });

  it('that stops itself is seen as frozen and can be woken', async () => {
    const handle = await startAttempt(agentProgram('stops-itself.sh'), { level });
    const frozen = await seen(handle, (now) => now.frozen);
    expect(frozen).toMatchObject({ leader: 'stopped', exit: null, empty: false });
    for (const { pid } of frozen.members) process.kill(pid, 'SIGCONT');
    expect(await ended(handle)).toMatchObject({ exitCode: 0 });
    expect(readFileSync(join(handle.attemptDir, 'stdout'), 'utf8')).toBe('stopping\nwoken\n');
  });

  it('is counted with its daemonised grandchild, which does not survive the kill', async () => {
    const handle = await startAttempt(agentProgram('double-forks.sh'), { level });
    await outputHolds(handle, 'daemon is up');
    const { members } = await seen(handle, (now) => now.members.length === 2 && now.members.every(isSleep));
    const identities = members.map(({ pid }) => identify(pid) ?? expect.fail('no identity'));
    await kill(handle);
    await eventually(() => isEmpty(handle), Boolean);
    expect(identities.map(isAlive)).toEqual([false, false]);
  });

  it('that left a child in another session is not empty until that child is gone', async () => {
    const handle = await startAttempt(agentProgram('leaves-setsid-child.sh', '3'), { level });
    const exit = await eventually(
      () => readNote<ExitNote>(handle.attemptDir, EXIT_FILE),
      (note) => note !== null,
    );
    expect(exit).toMatchObject({ exitCode: 3 });
    // The kernel itself ends a namespace; elsewhere the child lives on and must be seen.
    if (level !== 'pid-namespace') {
      const { members } = await seen(
        handle,
        (now) => now.attendant !== 'running' && now.members.every(isSleep),
      );
      expect(members.length).toBe(1);
      expect(await isEmpty(handle)).toBe(false);
      expect(release(handle)).toBe(level === 'process-group');
    }
    await kill(handle);
    await eventually(() => isEmpty(handle), Boolean);
  });

  it('whose child has cleared its environment still loses that child', async () => {
    const handle = await startAttempt(agentProgram('clears-environment.sh'), { level });
    await outputHolds(handle, 'clean child');
    const { members } = await seen(handle, (now) => now.members.length === 2 && now.members.every(isSleep));
    // The parent goes first: now nothing but the container, or memory, knows whose child it is.
    process.kill(handle.leader?.pid ?? expect.fail('no leader'), 'SIGKILL');
    await seen(handle, (now) => now.exit !== null);
    await kill(handle);
    await eventually(() => isEmpty(handle), Boolean);
    for (const { pid, startTicks } of members) {
      const now = identify(pid);
      expect(now !== null && now.startTicks === startTicks && isAlive(now)).toBe(false);
    }
  });

  it('with a zombie child counts as empty once everybody is dead', async () => {
    const handle = await startAttempt(agentProgram('leaves-zombie.sh'), { level });
    const { members } = await seen(handle, (now) => now.members.length === 1 && now.members.every(isSleep));
    expect(members[0]?.pid).toBe(handle.leader?.pid);
    await kill(handle);
    await eventually(() => isEmpty(handle), Boolean);
  });

  it('that forks faster than it can be counted is ended all the same', async () => {
    const handle = await startAttempt(agentProgram('fork-bomb.sh', '6'), { level });
    await seen(handle, (now) => now.members.length > 20);
    await kill(handle);
    await eventually(() => isEmpty(handle), Boolean);
  });

  it('spends processor time that is seen from outside', async () => {
    const handle = await startAttempt(['sh', '-c', 'while :; do :; done'], { level });
    const { cpuMs } = await seen(handle, (now) => now.cpuMs >= 200);
    expect(cpuMs).toBeGreaterThanOrEqual(200);
  });

  it('outlives the kill -9 of its starter, and its exact end is known to whoever adopts it', async () => {
    const attemptDir = temporaryDirectory();
    const go = join(attemptDir, 'go');
    const script = `while [ ! -e ${go} ]; do sleep 0.05; done; echo done; exit 42`;
    const starter = spawn(process.execPath, [STARTER, level, attemptDir, script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void starter.kill('SIGKILL'));
    const [line] = (await once(starter.stdout, 'data')) as [Buffer];
    const handle = JSON.parse(line.toString()) as ContainerHandle;
    leaveNothing(handle);
    starter.kill('SIGKILL');
    await once(starter, 'exit');
    expect(await findAttempt(attemptDir)).toEqual(handle);
    // Alive, not exactly 'running': a shell that is just starting a program is uninterruptible for an instant.
    expect(isAlive(handle.leader ?? expect.fail('no leader'))).toBe(true);
    writeFileSync(go, '');
    expect(await ended(handle)).toMatchObject({ exitCode: 42, signal: null });
    expect(readFileSync(join(attemptDir, 'stdout'), 'utf8')).toBe('done\n');
  });

  it('is seen as ended without a note when its attendant was killed with it', async () => {
    const handle = await startAttempt(['sleep', '300'], { level });
    process.kill(handle.attendant.pid, 'SIGKILL');
    if (level !== 'pid-namespace') process.kill(handle.leader?.pid ?? expect.fail('no leader'), 'SIGKILL');
    const now = await seen(handle, ({ empty }) => empty);
    expect(now).toMatchObject({ exit: null, members: [] });
  });

  it('goes on when only its attendant is killed, except where the namespace ends with it', async () => {
    const handle = await startAttempt(['sleep', '300'], { level });
    process.kill(handle.attendant.pid, 'SIGKILL');
    const now = await seen(handle, ({ attendant }) => attendant !== 'running');
    if (level === 'pid-namespace') await seen(handle, ({ empty }) => empty);
    else expect(now).toMatchObject({ leader: 'running', empty: false });
  });

  it('is started once however often it is asked for', async () => {
    const attemptDir = temporaryDirectory();
    const argv = ['sh', '-c', 'echo started >> count; exec sleep 300'];
    const plan = {
      attemptDir,
      argv,
      cwd: attemptDir,
      env: { PATH: '/usr/bin:/bin' },
      stdinFile: null,
      level,
    };
    const starts = [1, 2, 3].map(async () => await startContained({ ...plan, marker: newMarker() }));
    const handles = await Promise.all(starts);
    leaveNothing(handles[0] ?? expect.fail('no handle'));
    expect(new Set(handles.map(({ leader }) => leader?.pid)).size).toBe(1);
    // The attendants that lost are gone by now; one still on its way could start the agent again in a cleared directory.
    expect(attendantsOf(attemptDir)).toEqual([handles[0]?.attendant.pid]);
    await eventually(() => existsSync(join(attemptDir, 'count')), Boolean);
    const again = await startContained({ ...plan, marker: newMarker() });
    expect(again).toEqual(handles[0]);
    expect(readFileSync(join(attemptDir, 'count'), 'utf8')).toBe('started\n');
  });

  it('never starts after its start was forbidden', async () => {
    const attemptDir = temporaryDirectory();
    expect(await forbidStart(attemptDir)).toBeNull();
    await expect(startAttempt(['touch', 'started'], { level, attemptDir })).rejects.toMatchObject({
      code: 'AGENT_NOT_STARTED',
    });
    expect(await findAttempt(attemptDir)).toBeNull();
    expect(existsSync(join(attemptDir, 'started'))).toBe(false);
  });

  it('has nothing but notes and output on disk, its environment least of all, while it runs and after', async () => {
    const handle = await startAttempt(['sleep', '300'], { level, env: { SECRET: 'hunter2' } });
    const notes = ['attendant.json', 'attendant.log', 'leader.json', 'stderr', 'stdout'];
    const names = (): string[] => readdirSync(handle.attemptDir).sort();
    expect(names()).toEqual(notes);
    await kill(handle);
    await ended(handle);
    expect(names()).toEqual([...notes, 'exit.json'].sort());
    expect(release(handle)).toBe(true);
    const texts = names().map((name) => readFileSync(join(handle.attemptDir, name), 'utf8'));
    expect(texts.filter((text) => text.includes('hunter2'))).toEqual([]);
  });
});

const STARTER = resolve(import.meta.dirname, '../../fixtures/starter.ts');

/** Found by their command line; the shell and the wrapper around one in a namespace carry the same words. */
function attendantsOf(attemptDir: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => commandLine(pid)[0] === process.execPath && commandLine(pid).includes(attemptDir))
    .map(Number);
}

function commandLine(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return [];
  }
}

function isSleep({ command }: { readonly command: string }): boolean {
  return command === 'sleep';
}

describe('a start that cannot work says why', () => {
  const reject = async (argv: string[], options = {}): Promise<unknown> =>
    await startAttempt(argv, options).then(
      () => 'started',
      (error: { code: string }) => error.code,
    );

  it('a missing command, a missing directory and a file without the right to run are three things', async () => {
    const directory = temporaryDirectory();
    writeFileSync(join(directory, 'plain'), 'echo hi');
    expect(await reject(['no-such-agent-anywhere'])).toBe('AGENT_NOT_FOUND');
    expect(await reject(['./no-such-agent'])).toBe('AGENT_NOT_FOUND');
    expect(await reject(['true'], { cwd: '/no/such/dir' })).toBe('WORKSPACE_MISSING');
    expect(await reject(['no-such-agent-anywhere'], { cwd: '/no/such/dir' })).toBe('WORKSPACE_MISSING');
    expect(await reject([join(directory, 'plain')])).toBe('AGENT_NOT_EXECUTABLE');
  });

  it('the same when the system finds out after the check', async () => {
    const directory = temporaryDirectory();
    // The interpreter is missing: the file is there and executable, and still the system says ENOENT.
    const program = join(directory, 'agent');
    writeFileSync(program, '#!/no/such/interpreter\n', { mode: 0o755 });
    expect(await reject([program])).toBe('AGENT_NOT_FOUND');
  });

  it('an empty command, a NUL and an endless argument are wrong usage', async () => {
    expect(await reject([])).toBe('AGENT_NOT_NAMED');
    expect(await reject(['echo', 'a\0b'])).toBe('ARGUMENT_HAS_NUL');
    expect(await reject(['echo', 'x'.repeat(128 * 1024)])).toBe('ARGUMENT_TOO_LONG');
  });

  it('words are never read by a shell', async () => {
    const handle = await startAttempt(['echo', '$(touch pwned)', '; touch pwned', '-n', "it's"]);
    await ended(handle);
    expect(readFileSync(join(handle.attemptDir, 'stdout'), 'utf8')).toBe(
      "$(touch pwned) ; touch pwned -n it's\n",
    );
    expect(existsSync(join(handle.attemptDir, 'pwned'))).toBe(false);
  });

  it('a directory with spaces and quotes works', async () => {
    const target = temporaryDirectory();
    const odd = join(temporaryDirectory(), `it's "odd" $HOME dir`);
    symlinkSync(target, odd);
    const handle = await startAttempt(['pwd'], { attemptDir: odd });
    await ended(handle);
    expect(readFileSync(join(target, 'stdout'), 'utf8').trim()).toBe(target);
  });
});

it('an attempt that nobody started is not found', async () => {
  const attemptDir = temporaryDirectory();
  expect(await findAttempt(attemptDir)).toBeNull();
  expect(existsSync(join(attemptDir, CLAIM_FILE))).toBe(false);
});

it('a look takes milliseconds', async () => {
  const handle = await startAttempt(['sleep', '300']);
  await observe(handle);
  const begun = process.cpuUsage();
  for (let n = 0; n < 20; n++) await observe(handle);
  const { user, system } = process.cpuUsage(begun);
  expect((user + system) / 1_000 / 20).toBeLessThan(25);
});

describe('an attendant that is killed in the start window', () => {
  const killOnce = async (attemptDir: string, file: string): Promise<number> => {
    const claim = await eventually(
      () => readNote<Claim>(attemptDir, file),
      (note) => note !== null,
    );
    const pid = claim?.attendant?.pid ?? expect.fail('no attendant');
    process.kill(pid, 'SIGKILL');
    return pid;
  };

  /** Fails at once when the start is over without a claim of an attendant. */
  async function claimedOrOver(attemptDir: string, starting: Promise<unknown>, file: string): Promise<void> {
    let isOver = false;
    const over = starting.finally(() => {
      isOver = true;
    });
    const claimed = eventually(
      () => isOver || existsSync(join(attemptDir, file)),
      (isThere) => isThere,
    );
    await Promise.race([over, claimed]);
    expect(existsSync(join(attemptDir, file)), 'an attendant has claimed the attempt').toBe(true);
  }

  /** The attendant waits at this pipe, after its claim and before it starts the agent. */
  function waitingStdin(): string {
    const path = join(temporaryDirectory(), 'stdin');
    execFileSync('mkfifo', [path]);
    return path;
  }

  it('is replaced once when it had started nothing, and the agent runs once', async () => {
    const [attemptDir, stdinFile] = [temporaryDirectory(), waitingStdin()];
    const starting = startAttempt(['sh', '-c', 'cat; echo ran'], {
      attemptDir,
      stdinFile,
      level: 'process-group',
    });
    await killOnce(attemptDir, CLAIM_FILE);
    await claimedOrOver(attemptDir, starting, SECOND_CLAIM_FILE);
    writeFileSync(stdinFile, 'brief\n');
    expect(await ended(await starting)).toMatchObject({ exitCode: 0 });
    expect(readFileSync(join(attemptDir, 'stdout'), 'utf8')).toBe('brief\nran\n');
  });

  it('is replaced when it had not even claimed the attempt, and the agent runs once', async () => {
    for (let isTooLate = true; isTooLate; ) {
      const [attemptDir, stdinFile] = [temporaryDirectory(), waitingStdin()];
      const starting = startAttempt(['sh', '-c', 'cat; echo ran'], {
        attemptDir,
        stdinFile,
        level: 'process-group',
      });
      const [first = 0] = await eventually(
        () => attendantsOf(attemptDir),
        (pids) => pids.length > 0,
      );
      process.kill(first, 'SIGKILL');
      await claimedOrOver(attemptDir, starting, CLAIM_FILE);
      const isFirst = readNote<Claim>(attemptDir, CLAIM_FILE)?.attendant?.pid === first;
      if (isFirst) await claimedOrOver(attemptDir, starting, SECOND_CLAIM_FILE);
      // Killed after its claim: that is the other test's window.
      isTooLate = isFirst;
      writeFileSync(stdinFile, 'brief\n');
      expect(await ended(await starting)).toMatchObject({ exitCode: 0 });
      expect(readFileSync(join(attemptDir, 'stdout'), 'utf8')).toBe('brief\nran\n');
    }
  });

  it('is not replaced a second time, and never where an agent may have run', async () => {
    const [attemptDir, stdinFile] = [temporaryDirectory(), waitingStdin()];
    const starting = startAttempt(['true'], { attemptDir, stdinFile, level: 'process-group' });
    await killOnce(attemptDir, CLAIM_FILE);
    await claimedOrOver(attemptDir, starting, SECOND_CLAIM_FILE);
    const second = await killOnce(attemptDir, SECOND_CLAIM_FILE);
    let isOver = false;
    void starting.finally(() => {
      isOver = true;
    });
    const third = await eventually(
      () => attendantsOf(attemptDir).filter((pid) => pid !== second),
      (pids) => isOver || pids.length > 0,
    );
    expect(third).toEqual([]);
    const handle = await starting;
    expect(await observe(handle)).toMatchObject({ leader: 'gone', exit: null, empty: true });

    const running = await startAttempt(['sleep', '300'], { level: 'process-group' });
    process.kill(running.attendant.pid, 'SIGKILL');
    process.kill(running.leader?.pid ?? expect.fail('no leader'), 'SIGKILL');
    await seen(running, ({ empty }) => empty);
    const again = await startAttempt(['sleep', '300'], {
      attemptDir: running.attemptDir,
      level: 'process-group',
    });
    expect(again.attendant).toEqual(running.attendant);
    expect(existsSync(join(running.attemptDir, SECOND_CLAIM_FILE))).toBe(false);
  });
});
