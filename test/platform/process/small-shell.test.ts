import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { listProcesses, readOrNull, readProcess } from '../../../src/platform/process/proc-table.ts';
import { identify, isAlive, type ProcessIdentity } from '../../../src/platform/process/process-identity.ts';
import { runBySmallShell, type ShellCall } from '../../../src/platform/process/small-shell.ts';
import { temporaryDirectory } from '../../temporary-directory.ts';
import { eventually } from '../attempt-under-test.ts';

const PATH = '/usr/bin:/bin';
const MODULE = JSON.stringify(
  new URL('../../../src/platform/process/small-shell.ts', import.meta.url).pathname,
);

async function run([program = '', ...args]: string[], options: Partial<ShellCall> = {}) {
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  const end = await runBySmallShell({
    program,
    args,
    cwd: '/',
    env: { PATH },
    input: undefined,
    signal: new AbortController().signal,
    onStdout: (chunk) => stdout.push(chunk),
    onStderr: (chunk) => stderr.push(chunk),
    ...options,
  });
  return end && { ...end, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr).toString() };
}

const ODD_WORDS = ["it's", '$(exit 3)', '`id`', 'a\nb', '', '-n', 'ü \\ "', '*', '; exit 9 #'];

describe('a program that a small shell starts', () => {
  it('gets each of its words as it was given', async () => {
    const ended = await run(['printf', '%s|', ...ODD_WORDS]);
    expect(ended?.stdout.toString()).toBe(ODD_WORDS.map((word) => `${word}|`).join(''));
  });

  it('has the environment that was given, and nothing of ours', async () => {
    const env = { PATH, GIT_DIR: "it's\n$HOME", UID: '7', 'npm_config_//a': 'b' };
    const names = (await run(['env', '-0'], { env }))?.stdout.toString().split('\0') ?? [];
    expect(names).toContain("GIT_DIR=it's\n$HOME");
    expect(names.filter((name) => !/^(?:PATH|GIT_DIR|PWD|OLDPWD|SHLVL|_)=/.test(name))).toEqual(['']);
  });

  it('runs in its folder, also behind a name with quotes and spaces', async () => {
    const folder = join(temporaryDirectory(), "the person's $folder");
    mkdirSync(folder);
    const ended = await run(['pwd'], { cwd: folder });
    expect(ended?.stdout.toString()).toBe(`${realpathSync(folder)}\n`);
  });

  it('reads its input byte for byte, and its end', async () => {
    const input = Buffer.from([...Array(256).keys()].flatMap((byte) => [byte, 0x25, 0x5c, 0x27]));
    expect((await run(['cat'], { input }))?.stdout).toEqual(input);
  });

  it.each(['-a\0--\0', '--', '%s', '\\n', '0123'])('reads input that begins with %j', async (input) => {
    expect((await run(['cat'], { input }))?.stdout.toString()).toBe(input);
  });

  it('has no input where none was given: it does not read the words of the next one', async () => {
    expect((await run(['cat']))?.stdout.length).toBe(0);
    expect((await run(['echo', 'next']))?.stdout.toString()).toBe('next\n');
  });

  it('tells its output, its errors and its status apart, without an added line end', async () => {
    expect(await run(['sh', '-c', 'printf out; printf err >&2; exit 4'])).toMatchObject({
      exitCode: 4,
      killedBy: null,
      stdout: Buffer.from('out'),
      stderr: 'err',
    });
  });

  it('prints much, and all of it arrives', async () => {
    const ended = await run(['sh', '-c', 'head -c 5000000 /dev/zero; head -c 900000 /dev/zero >&2']);
    expect([ended?.stdout.length, ended?.stderr.length]).toEqual([5_000_000, 900_000]);
  });

  it('tells the signal that ended it, and the shell says nothing about it', async () => {
    expect(await run(['sh', '-c', 'printf own >&2; kill -KILL $$'])).toMatchObject({
      exitCode: null,
      killedBy: 'SIGKILL',
      stderr: 'own',
    });
  });

  it('that was killed keeps no call waiting, and what it left writes into no other output', async () => {
    const left = '(until [ -e "$0" ]; do sleep 0.01; done; printf late; printf late >&2) & kill -KILL $$';
    const go = join(temporaryDirectory(), 'go');
    expect((await run(['sh', '-c', left, go]))?.killedBy).toBe('SIGKILL');
    const next = 'touch "$0"; sleep 0.2; printf mine; printf mine >&2';
    expect(await run(['sh', '-c', next, go])).toMatchObject({ stdout: Buffer.from('mine'), stderr: 'mine' });
  });

  it('is heard of although something else was printed right behind its end', async () => {
    const running = run(['sh', '-c', '(sleep 0.05; printf late >&2) & kill -KILL $$']);
    // This process reads nothing until all of it is there.
    await new Promise((resolve) => setImmediate(resolve));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
    expect(await running).toMatchObject({ killedBy: 'SIGKILL', stderr: '' });
  });

  it('does not mix its output with that of others that run at once', async () => {
    const words = ['a', 'b', 'c', 'd'];
    const ended = await Promise.all(
      words.map((word) => run(['sh', '-c', `for i in 1 2 3 4 5; do printf ${word}; sleep 0.01; done`])),
    );
    expect(ended.map((one) => one?.stdout.toString())).toEqual(words.map((word) => word.repeat(5)));
  });

  it('is ended when its caller gives up, with what it started; the next one runs', async () => {
    const pidFile = join(temporaryDirectory(), 'pid');
    const giveUp = new AbortController();
    const running = run(['sh', '-c', `sleep 300 & echo $! > ${pidFile}; wait`], { signal: giveUp.signal });
    const pid = await eventually(
      async () => Number((await run(['sh', '-c', `cat ${pidFile} || true`]))?.stdout.toString()),
      (found) => found > 0,
    );
    const child = identify(pid) ?? expect.fail('it ended too soon');
    giveUp.abort();
    expect(await running).toMatchObject({ exitCode: null, killedBy: 'SIGKILL' });
    await eventually(
      () => isAlive(child),
      (alive) => !alive,
    );
    expect((await run(['echo', 'next']))?.stdout.toString()).toBe('next\n');
  });

  it.each([
    ['its folder is missing', ['true'], { cwd: '/nonexistent' }],
    ['it is missing itself', ['/nonexistent/program'], {}],
    ['it is no program', ['/etc/passwd'], {}],
    ['a word cannot be given to a program', ['echo', 'a\0b'], {}],
    ['its input is long', ['cat'], { input: Buffer.alloc(100_000) }],
  ])('is left to the caller where %s', async (_why, argv, options) => {
    expect(await run(argv, options)).toBeNull();
    expect((await run(['echo', 'next']))?.stdout.toString()).toBe('next\n');
  });
});

describe('a small shell', () => {
  const program = `
    const { runBySmallShell } = await import(${MODULE});
    const signal = new AbortController().signal;
    const call = { program: 'sh', args: ['-c', 'echo ran'], cwd: '/', env: { PATH: '${PATH}' }, input: undefined };
    await runBySmallShell({ ...call, signal, onStdout: (chunk) => process.stdout.write(chunk), onStderr: () => {} });`;

  it('without work keeps no process alive, and ends with it', async () => {
    const { shell, starter } = await startAndTell(
      `${program} process.stdin.once('data', () => process.stdin.destroy());`,
    );
    starter.stdin.write('go');
    const [code] = await once(starter, 'exit');
    expect(code).toBe(0);
    await eventually(
      () => isAlive(shell),
      (alive) => !alive,
    );
  });

  it('that ends its work soon takes that of a further program; two start at once', async () => {
    letNoTimePass();
    const before = shellsOf(process.pid).length;
    const words = Array.from({ length: before + 4 }, (_, index) => `${index}\n`);
    const ended = await Promise.all(words.map((word) => run(['printf', word])));
    expect(ended.map((one) => one?.stdout.toString())).toEqual(words);
    expect(shellsOf(process.pid)).toHaveLength(Math.max(before, 2));
  });

  it('that works for long keeps no further program waiting', async () => {
    const go = join(temporaryDirectory(), 'go');
    const long = Array.from({ length: 4 }, () =>
      run(['sh', '-c', 'until [ -e "$0" ]; do sleep 0.01; done', go]),
    );
    expect((await run(['touch', go]))?.exitCode).toBe(0);
    expect((await Promise.all(long)).map((one) => one?.exitCode)).toEqual([0, 0, 0, 0]);
  });

  it('is not used for a caller that gave up while it waited for one', async () => {
    letNoTimePass();
    const folder = temporaryDirectory();
    const giveUp = new AbortController();
    const shells = Math.max(shellsOf(process.pid).length, 2);
    const short = Array.from({ length: shells }, () => run(['sleep', '0.01']));
    const waiting = run(['touch', join(folder, 'late')], { signal: giveUp.signal });
    giveUp.abort();
    expect(await waiting).toMatchObject({ exitCode: null, killedBy: 'SIGKILL' });
    await Promise.all(short);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('that was killed while it had no work is replaced', async () => {
    await run(['true']);
    for (const shell of shellsOf(process.pid)) process.kill(shell.pid, 'SIGKILL');
    await eventually(
      () => shellsOf(process.pid),
      (shells) => shells.length === 0,
    );
    expect((await run(['echo', 'next']))?.stdout.toString()).toBe('next\n');
  });

  it('that was killed with work takes its program with it', async () => {
    const { running, program, shell } = await withWork('echo $$ > "$0"; exec sleep 300');
    process.kill(shell, 'SIGKILL');
    expect(await running).toMatchObject({ killedBy: 'SIGKILL' });
    expect(isAlive(program)).toBe(false);
  });

  it.skipIf(!canChooseNumbers())(
    'that was killed with work keeps no caller that gives up, and its number is not signalled',
    async () => {
      // A session of its own: nothing keeps the number of the shell.
      const { running, giveUp, shell } = await withWork(
        'setsid sh -c \'echo $$ > "$0"; exec sleep 300\' "$0"',
      );
      process.kill(shell, 'SIGKILL');
      const stranger = await eventually(
        () => spawnAs(shell),
        (child) => child.pid === shell,
      );
      giveUp.abort();
      expect(await running).toMatchObject({ killedBy: 'SIGKILL' });
      // Time for a signal to arrive.
      await run(['true']);
      expect([stranger.exitCode, stranger.signalCode]).toEqual([null, null]);
    },
  );

  it('ends when its starter is killed', async () => {
    const { shell, starter } = await startAndTell(`${program} setInterval(() => {}, 1000);`);
    expect(isAlive(shell)).toBe(true);
    starter.kill('SIGKILL');
    await eventually(
      () => isAlive(shell),
      (alive) => !alive,
    );
  });
});

/** No call loses its patience with a slow machine. */
function letNoTimePass(): void {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
}

/** Runs a script that writes its number to the file that is its `$0`. */
async function withWork(script: string) {
  const giveUp = new AbortController();
  const pidFile = join(temporaryDirectory(), 'pid');
  const running = run(['sh', '-c', script, pidFile], { signal: giveUp.signal });
  const pid = await eventually(
    () => Number(readOrNull(pidFile) ?? 0),
    (found) => found > 0,
  );
  const program = identify(pid) ?? expect.fail('it ended too soon');
  onTestFinished(() => {
    if (isAlive(program)) process.kill(pid, 'SIGKILL');
  });
  return { running, giveUp, program, shell: shellAbove(pid) };
}

/** The system gives the number behind the last one to the next process. */
const LAST_NUMBER = '/proc/sys/kernel/ns_last_pid';

function canChooseNumbers(): boolean {
  try {
    writeFileSync(LAST_NUMBER, readFileSync(LAST_NUMBER));
    return true;
  } catch {
    return false;
  }
}

/** A program with a group of its own, and with this number unless another process came before it. */
function spawnAs(pid: number): ChildProcess {
  writeFileSync(LAST_NUMBER, String(pid - 1));
  const child = spawn('sleep', ['300'], { detached: true, stdio: 'ignore' });
  if (child.pid === pid) onTestFinished(() => void child.kill('SIGKILL'));
  else child.kill('SIGKILL');
  return child;
}

async function startAndTell(text: string) {
  const file = join(temporaryDirectory(), 'starter.mjs');
  writeFileSync(file, text);
  const starter = spawn(process.execPath, ['--no-warnings', file], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void starter.kill('SIGKILL'));
  await once(starter.stdout, 'data');
  const [shell = expect.fail('the shell ended too soon')] = shellsOf(starter.pid ?? 0);
  return { starter, shell };
}

/** The parent that is our child. */
function shellAbove(pid: number): number {
  const parent = readProcess(pid)?.parentPid ?? expect.fail('it has no shell');
  return parent === process.pid ? pid : shellAbove(parent);
}

/** Each is a child with a group of its own. */
function shellsOf(parent: number): ProcessIdentity[] {
  return listProcesses().flatMap(({ pid, parentPid, groupId }) =>
    parentPid === parent && groupId === pid ? (identify(pid) ?? []) : [],
  );
}
