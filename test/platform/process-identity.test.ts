import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listProcesses, parsePsLine, readProcess } from '../../src/platform/proc-table.ts';
import { identify, isAlive, lookAt, selfIdentity } from '../../src/platform/process-identity.ts';
import { agentProgram, eventually } from './attempt-under-test.ts';

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
      },
    );
    expect(parsePsLine('')).toBeNull();
  });
});
