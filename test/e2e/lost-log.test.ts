/** The write-ahead log of the record is lost while an agent lives: nothing begins anew, and the agent is named. */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { inBox } from './box.ts';

const AGENT = ['--', 'sh', '-c', 'while ! test -f done; do sleep 0.2; done; echo a > a.txt'];

it('a record without its log is lost, and the living agent is named and left alone', () =>
  inBox(async (box) => {
    await box.call('run', '--detach', '--check', 'test -f a.txt', 'write a.txt', ...AGENT);
    const agent = await box.until('the agent works', () =>
      box.processes().find(({ command }) => command.startsWith('sh -c while')),
    );
    const keeper = await box.until('a keeper', () => box.keeper());
    process.kill(keeper, 'SIGKILL');
    await box.until('the keeper is gone', () => box.keeper() === undefined);
    expect(existsSync(join(box.home, 'record.db-wal'))).toBe(true);
    for (const end of ['-wal', '-shm']) rmSync(join(box.home, `record.db${end}`), { force: true });

    const calls = [
      ['ps'],
      ['run', '--check', 'true', 'write b', '--', 'true'],
      ['work', '--until-idle'],
      ['doctor'],
    ];
    for (const args of calls) {
      const { exitCode, stdout, stderr } = await box.call(...args);
      expect(exitCode, args.join(' ')).toBe(1);
      const said = `${stdout}${stderr}`;
      if (args[0] !== 'doctor') expect(said).toContain('RECORD_LOST');
      expect(said, args.join(' ')).toMatch(new RegExp(`attempt 1: process ${agent.pid}\\b`));
    }
    expect(box.processes().map(({ pid }) => pid)).toContain(agent.pid);
    expect(box.keeper()).toBeUndefined();
  }));

it('a record that still has its log goes on after the same death', () =>
  inBox(async (box) => {
    await box.call('run', '--detach', '--check', 'test -f a.txt', 'write a.txt', ...AGENT);
    await box.until('the agent works', () =>
      box.processes().find(({ command }) => command.startsWith('sh -c while')),
    );
    process.kill(await box.until('a keeper', () => box.keeper()), 'SIGKILL');
    const { exitCode, stdout } = await box.call('ps');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('write a.txt');
  }));
