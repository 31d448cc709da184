import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type AttendantPlan, CLAIM_FILE } from '../../../src/platform/container/attempt-files.ts';
import { callAttendant, dismissAttendant } from '../../../src/platform/container/call-attendant.ts';
import { cgroupKill, cgroupMembers, cgroupPathFor } from '../../../src/platform/container/cgroup.ts';
import { forbidStart, startContained } from '../../../src/platform/container/container.ts';
import { bestLevel } from '../../../src/platform/container/container-level.ts';
import { hideHome, stageIn } from '../../../src/platform/container/hide-home.ts';
import { launchAttendant } from '../../../src/platform/container/launch-attendant.ts';
import { coverOrder, READY_COVER, ReadyCover } from '../../../src/platform/container/ready-cover.ts';
import { identify, isAlive } from '../../../src/platform/process/process-identity.ts';
import { systemProgram } from '../../../src/platform/process/system-program.ts';
import { temporaryDirectory } from '../../temporary-directory.ts';
import { eventually, leaveNothing, newMarker, seen } from '../attempt-under-test.ts';

const LEVEL = await bestLevel();
const hasCover = (() => {
  const cover = ReadyCover.start();
  cover?.end();
  return cover !== null;
})();

const ODD = {
  PATH: '/usr/bin:/bin',
  EMPTY: '',
  ODD: "a=b\n'ü' $HOME",
  PERL5OPT: '-d',
};

function inHome() {
  const home = temporaryDirectory();
  const [attemptDir, cwd] = [join(home, 'attempt'), join(home, 'work')];
  for (const folder of [attemptDir, cwd]) mkdirSync(folder);
  const hidden = { home, show: [cwd], inside: { runId: 'r', blocker: null } };
  return { attemptDir, cwd, hidden };
}

/** The order of a program that leaves a file. */
function orderOf(argv: readonly string[]) {
  const { attemptDir, cwd, hidden } = inHome();
  const stdinFile = join(attemptDir, 'stdin');
  writeFileSync(stdinFile, 'its input');
  const plan = { argv, cwd, env: ODD, stdinFile, mergeOutput: true, hidden } as unknown as AttendantPlan;
  const hiding = hideHome(hidden, { stage: stageIn(attemptDir), cwd, env: ODD, argv, isUntested: true });
  if (hiding.type === 'shown' || hiding.scoped === undefined) return expect.fail('no cover for root');
  const order = coverOrder(attemptDir, plan, hiding.scoped, false);
  const stdout = join(attemptDir, 'stdout');
  return { order, cwd, said: () => (existsSync(stdout) ? readFileSync(stdout, 'utf8') : null) };
}

function give(order: string) {
  const stdio = ['pipe', 'pipe', 'pipe', 'pipe'] as const;
  const env = { PATH: '/usr/bin:/bin', PERL_BADLANG: '0' };
  // It is asked for no witness.
  return spawnSync('perl', ['-e', READY_COVER], { input: `\0${order}`, stdio: [...stdio], env });
}

describe.skipIf(!hasCover)('a cover that waits', () => {
  it('becomes the program, with the words, the variables, the input and the folder that were given', () => {
    const words = ['', 'two words', "it's", 'ü\n'];
    const { order, cwd, said } = orderOf(['sh', '-c', 'cat; pwd; printf "%s|" "$@"; env -0', 'sh', ...words]);
    expect(give(order).output[3]?.toString()).toBe('begins\n');
    expect(said()).toContain(`its input${cwd}\n${words.join('|')}|`);
    const variables = said()?.slice(said()?.lastIndexOf('|')).slice(1).split('\0') ?? [];
    const given = Object.entries({ ...ODD, PWD: cwd }).map(([name, value]) => `${name}=${value}`);
    expect(variables.filter((each) => each !== '').toSorted()).toEqual(given.toSorted());
  });

  it('begins nothing where its order was not written to the end', () => {
    const { order, cwd, said } = orderOf(['touch', 'begun', 'also']);
    const ends = [...order.matchAll(/\0/g)].map(({ index }) => index);
    for (const end of [0, 1, ends[3] ?? 0, ends.at(-2) ?? 0, (ends.at(-2) ?? 0) + 1, ends.at(-1) ?? 0])
      expect(give(order.slice(0, end))).toMatchObject({
        status: 1,
        output: [null, expect.anything(), expect.anything(), Buffer.alloc(0)],
      });
    expect([existsSync(join(cwd, 'begun')), said()]).toEqual([false, null]);
    expect(give(order).status).toBe(0);
    expect(existsSync(join(cwd, 'begun'))).toBe(true);
  });

  it.skipIf(LEVEL !== 'cgroup')(
    'is the process of the agent, which was in its control group before',
    async () => {
      const { attemptDir, cwd, hidden } = inHome();
      const marker = newMarker();
      const attendant = await callAttendant(attemptDir, undefined, marker);
      const group = cgroupPathFor(marker) ?? expect.fail('no control groups');
      const [waiting] = await eventually(
        () => cgroupMembers(group),
        (pids) => pids.length === 1,
      );
      await eventually(
        () => existsSync(join(attemptDir, 'witness')),
        (isThere) => isThere,
      );
      const env = { PATH: '/usr/bin:/bin' };
      const argv = ['sh', '-c', 'echo $$; readlink /proc/$$/fd/* | grep -c witness'];
      const handle = await startContained({
        attemptDir,
        argv,
        cwd,
        env,
        stdinFile: null,
        marker,
        attendant,
        hidden,
      });
      leaveNothing(handle);
      expect(handle.leader?.pid).toBe(waiting);
      expect(handle.attendant.pid).toBe(attendant?.child.pid);
      await seen(handle, ({ exit, empty }) => exit?.exitCode === 0 && empty);
      expect(readFileSync(join(attemptDir, 'stdout'), 'utf8')).toBe(`${waiting}\n1\n`);
    },
  );

  it('ends where the files of its program cannot be opened, and its control group with it', async () => {
    const { attemptDir, cwd, hidden } = inHome();
    const marker = newMarker();
    const group = cgroupPathFor(marker) ?? '';
    onTestFinished(() => {
      if (existsSync(group)) cgroupKill(group);
    });
    const attendant = await callAttendant(attemptDir, undefined, marker);
    mkdirSync(join(attemptDir, 'stdout'));
    const env = { PATH: '/usr/bin:/bin' };
    const plan = { attemptDir, argv: ['true'], cwd, env, stdinFile: null, marker, attendant, hidden };
    await expect(startContained(plan)).rejects.toThrow('EISDIR');
    expect(existsSync(group)).toBe(false);
  });

  it('is done without where its Perl cannot be started', () => {
    const broken = join(temporaryDirectory(), 'perl');
    const perl = systemProgram('perl');
    // The system says ELOOP: Node throws it.
    writeFileSync(broken, `#!${perl}\n`, { mode: 0o755 });
    const module = new URL('../../../src/platform/container/ready-cover.ts', import.meta.url).pathname;
    const text = `import { ReadyCover } from ${JSON.stringify(module)}; console.log(ReadyCover.start());`;
    const script = 'mount --bind "$0" "$1" && shift && exec "$@"';
    const node = [process.execPath, '--no-warnings', '--input-type=module', '-e', text];
    const tried = spawnSync('unshare', ['-m', 'sh', '-c', script, broken, perl, ...node]);
    expect([tried.stdout.toString(), tried.stderr.toString()]).toEqual(['null\n', '']);
  });

  describe('leaves no witness', () => {
    const isThere = (attemptDir: string) => existsSync(join(attemptDir, 'witness'));

    async function waiting() {
      const { attemptDir } = inHome();
      const attendant = (await callAttendant(attemptDir)) ?? expect.fail('no attendant');
      onTestFinished(() => void attendant.child.kill('SIGKILL'));
      await eventually(
        () => isThere(attemptDir),
        (made) => made,
      );
      return { attemptDir, attendant, ended: once(attendant.child, 'exit') };
    }

    it('where its attendant is let go', async () => {
      const { attemptDir, attendant, ended } = await waiting();
      dismissAttendant(attendant);
      await ended;
      expect(isThere(attemptDir)).toBe(false);
    });

    it('where its attendant is killed, and then let go', async () => {
      const { attemptDir, attendant, ended } = await waiting();
      attendant.child.kill('SIGKILL');
      await ended;
      dismissAttendant(attendant);
      expect(isThere(attemptDir)).toBe(false);
    });

    it('where its attendant is killed, and the start is forbidden', async () => {
      const { attemptDir, attendant, ended } = await waiting();
      attendant.child.kill('SIGKILL');
      await ended;
      expect(await forbidStart(attemptDir)).toBeNull();
      expect(isThere(attemptDir)).toBe(false);
    });

    it('where its attendant gets a plan after the start was forbidden', async () => {
      const { attemptDir, attendant, ended } = await waiting();
      expect(await forbidStart(attemptDir)).toBeNull();
      const env = { PATH: '/usr/bin:/bin' };
      const plan = { attemptDir, argv: ['true'], cwd: '/', env, stdinFile: null, marker: newMarker() };
      launchAttendant(plan, attendant, CLAIM_FILE);
      await ended;
      expect(isThere(attemptDir)).toBe(false);
    });
  });

  it.skipIf(LEVEL !== 'cgroup')('ends with an attendant that is killed, and begins nothing', async () => {
    const { attemptDir } = inHome();
    const marker = newMarker();
    const attendant = (await callAttendant(attemptDir, undefined, marker)) ?? expect.fail('no attendant');
    onTestFinished(() => void attendant.child.kill('SIGKILL'));
    const [pid = 0] = await eventually(
      () => cgroupMembers(cgroupPathFor(marker) ?? ''),
      (pids) => pids.length === 1,
    );
    const cover = identify(pid) ?? expect.fail('it ended too soon');
    const died = once(attendant.child, 'exit');
    attendant.child.kill('SIGKILL');
    await died;
    await eventually(
      () => isAlive(cover),
      (alive) => !alive,
    );
    expect(existsSync(join(attemptDir, CLAIM_FILE))).toBe(false);
    dismissAttendant(attendant);
    await eventually(
      () => existsSync(cgroupPathFor(marker) ?? ''),
      (isThere) => !isThere,
    );
  });
});
