import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ownNamespace } from '../../../src/platform/process/namespace-view.ts';
import { namespacePrefix } from '../../../src/platform/container/container-level.ts';
import { listProcesses, parsePsLine, readProcess } from '../../../src/platform/process/proc-table.ts';
import {
  identify,
  isAlive,
  lookAt,
  type ProcessIdentity,
  seenFromHere,
  selfIdentity,
} from '../../../src/platform/process/process-identity.ts';
import { agentProgram, eventually } from '../attempt-under-test.ts';

const prefix = namespacePrefix() ?? [];
const canUnshare = prefix.length > 0;
if (!canUnshare) console.log('skipped: this machine offers no PID namespaces to this user');

function child(...argv: string[]): ReturnType<typeof spawn> & { pid: number } {
  const [command = '', ...args] = argv;
  const started = spawn(command, args, { stdio: 'ignore' });
  onTestFinished(() => void started.kill('SIGKILL'));
  return started as ReturnType<typeof spawn> & { pid: number };
}

describe('who a process is', () => {
  it('this process knows itself as running', () => {
    expect(selfIdentity().pid).toBe(process.pid);
    expect(lookAt(selfIdentity())).toBe('running');
  });

  it('a number that was never given is nobody', () => {
    expect(identify(0)).toBeNull();
    expect(identify(-1)).toBeNull();
    expect(identify(2 ** 30)).toBeNull();
    expect(identify(Number.NaN)).toBeNull();
  });

  it('a process with the same number but another start time is somebody else', () => {
    const self = selfIdentity();
    expect(lookAt({ ...self, startTicks: self.startTicks - 1 })).toBe('gone');
  });

  it('after a reboot everybody is gone, whoever has the number now', () => {
    expect(lookAt({ ...selfIdentity(), bootId: '00000000-0000-0000-0000-000000000000' })).toBe('gone');
  });

  it('a reboot of another machine proves nothing; a record of an older version is read as ours', () => {
    const { host: _, pidNamespace: __, ...old } = selfIdentity();
    const elsewhere = { ...selfIdentity(), bootId: '00000000-0000-0000-0000-000000000000', host: 'another' };
    expect(lookAt(elsewhere)).toBe('unseen');
    expect(isAlive(elsewhere), 'what cannot be seen is not dead').toBe(true);
    expect(lookAt(old)).toBe('running');
    expect(lookAt({ ...old, bootId: elsewhere.bootId })).toBe('gone');
  });

  it('an ended and reaped process is gone', async () => {
    const sleeper = child('sleep', '300');
    const identity = identify(sleeper.pid);
    sleeper.kill('SIGKILL');
    await once(sleeper, 'exit');
    expect(identity).not.toBeNull();
    expect(lookAt(identity ?? selfIdentity())).toBe('gone');
  });

  it('a stopped process is stopped until it is continued', async () => {
    const sleeper = child('sleep', '300');
    const identity = identify(sleeper.pid) ?? expect.fail('no identity');
    sleeper.kill('SIGSTOP');
    await eventually(
      () => lookAt(identity),
      (state) => state === 'stopped',
    );
    expect(isAlive(identity)).toBe(true);
    sleeper.kill('SIGCONT');
    await eventually(
      () => lookAt(identity),
      (state) => state === 'running',
    );
  });

  it('a zombie is dead although it still has its number', async () => {
    const parent = child(...agentProgram('leaves-zombie.sh'));
    const zombie = await eventually(
      () => listProcesses().find((row) => row.parentPid === parent.pid && row.state === 'zombie'),
      (row) => row !== undefined,
    );
    const identity = identify(zombie?.pid ?? 0) ?? expect.fail('no identity');
    expect(lookAt(identity)).toBe('zombie');
    expect(isAlive(identity)).toBe(false);
  });

  it('a name with brackets and spaces does not confuse the table', async () => {
    const named = child('sh', '-c', 'printf "a) Z 1 (b" > /proc/self/comm; read x < /dev/zero');
    await eventually(
      () => readProcess(named.pid)?.command,
      (command) => command === 'a) Z 1 (b',
    );
    expect(readProcess(named.pid)).toMatchObject({ parentPid: process.pid, state: 'running' });
  });

  it('a thread of the kernel is told from a program', () => {
    expect(readProcess(process.pid)?.isKernel).toBe(false);
    const threads = listProcesses().filter(({ isKernel }) => isKernel);
    for (const { pid } of threads) expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8')).toBe('');
  });

  it('a line of ps says the same where there is no /proc', () => {
    expect(parsePsLine('  501     1   501 Ss     1-02:03:04 Mon Jan  5 15:04:05 2026 /bin/my shell')).toEqual(
      {
        pid: 501,
        parentPid: 1,
        groupId: 501,
        sessionId: 0,
        state: 'running',
        cpuTicks: 9_378_400,
        startTicks: Date.parse('2026-01-05T15:04:05') / 1000,
        command: '/bin/my shell',
        isKernel: false,
      },
    );
    expect(parsePsLine('')).toBeNull();
  });
});

describe.runIf(canUnshare)('a process in another PID namespace', () => {
  const module = new URL('../../../src/platform/process/process-identity.ts', import.meta.url).href;
  const inside = (script: string, ...args: string[]) =>
    spawn(
      'unshare',
      [
        ...prefix.slice(1, prefix.indexOf('--') + 1),
        process.execPath,
        '--input-type=module',
        '-e',
        script,
        ...args,
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );

  it('is unseen from a namespace beside or below its own, alive or not', async () => {
    const script = `const { lookAt } = await import('${module}');
      console.log(process.argv.slice(1).map((text) => lookAt(JSON.parse(text))).join(' '));`;
    const gone = { ...selfIdentity(), startTicks: 1 };
    const looking = inside(script, JSON.stringify(selfIdentity()), JSON.stringify(gone));
    expect((await looking.stdout.setEncoding('utf8').toArray()).join('').trim()).toBe('unseen unseen');
  });

  it('is seen from the namespace above it by the number it has there, and its end too', async () => {
    const script = `const { selfIdentity } = await import('${module}');
      console.log(JSON.stringify({ ...selfIdentity(), seenFrom: process.argv[1] })); setInterval(() => {}, 1000);`;
    const child = inside(script, ownNamespace());
    onTestFinished(() => void child.kill('SIGKILL'));
    const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
    const identity = JSON.parse(line) as ProcessIdentity;
    expect(identity.pidNamespace).not.toBe(ownNamespace());
    expect(lookAt(identity)).toBe('running');
    expect(seenFromHere(identity)).toMatchObject({
      startTicks: identity.startTicks,
      pidNamespace: ownNamespace(),
    });
    child.kill('SIGKILL');
    await eventually(
      () => lookAt(identity),
      (state) => state === 'gone',
    );
  });
});
