/** A program of the person outside the run, which does what it is told: the agent does not reach its socket, or the record says that it did. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readEvent } from '../../src/supervise/load-state.ts';
import { openRecord } from '../../src/supervise/open-record.ts';
import { type Box, inBox } from './box.ts';

const TMUX = '/usr/bin/tmux';

/** The person works in a tmux server of their own. */
function tmuxOf(box: Box): (...args: string[]) => void {
  const folder = join(box.folder, 'sockets');
  mkdirSync(folder);
  box.env['TMUX_TMPDIR'] = folder;
  // An ordinary user of a container may have no shell to log in with.
  const env = { ...process.env, TMUX_TMPDIR: folder, MAYDAY_HOME: box.home, SHELL: '/bin/sh' };
  const call = (...args: string[]) => void execFileSync(TMUX, args, { env });
  call('-f', '/dev/null', 'new-session', '-d', '-s', 'person', 'cat');
  // Its folder is gone by then, so the process is ended by its number.
  const pid = execFileSync(TMUX, ['display', '-p', '#{pid}'], { env });
  onTestFinished(() => void process.kill(Number(pid)));
  return call;
}

describe.skipIf(!existsSync(TMUX))('the tmux server of the person', () => {
  it('accepts no work for the agent, which may use one of its own, and accepts it for the person', () =>
    inBox(async (box) => {
      const tmux = tmuxOf(box);
      box.policy({ restarts: 0 });
      const said = join(box.folder, 'said');
      const speak = (run: string) =>
        `${process.execPath} ${box.bin} accept ${run} --note done > ${said} 2>&1; echo "exit $?" >> ${said}`;
      writeFileSync(
        join(box.folder, 'agent.sh'),
        `export TMUX_TMPDIR=${box.env['TMUX_TMPDIR']} MAYDAY_HOME=${box.home} SHELL=/bin/sh
echo x > x
${TMUX} new-session -d "${speak('$MAYDAY_RUN').replaceAll('$?', '\\$?').replaceAll('"', '\\"')}; ${TMUX} wait -S done"
${TMUX} wait done`,
      );
      const { done } = box.start([
        'run',
        '--json',
        '--check',
        'false',
        'x',
        '--',
        'sh',
        join(box.folder, 'agent.sh'),
      ]);
      const { exitCode, stdout, stderr } = await done;
      const text = readFileSync(said, 'utf8');
      expect(text).toMatch(/NOT_A_PERSON|inside/);
      expect(text).not.toMatch(/exit [05]/);
      expect(exitCode, stdout + stderr).toBe(3);
      const { run_id: run } = JSON.parse(stdout) as { run_id: string };
      tmux('new-session', '-d', `cd ${box.repository}; ${speak(run)}; ${TMUX} wait -S heard`);
      tmux('wait', 'heard');
      expect(readFileSync(said, 'utf8')).toContain('exit 5');
      expect(await box.show()).toMatchObject({ state: 'delivered', proven: false });
    }));
});

/** Listens as the D-Bus session or docker does, and notes what it is told. */
async function obedient(box: Box): Promise<{ readonly socket: string; readonly told: string[] }> {
  const socket = join(box.folder, 'obedient.sock');
  const told: string[] = [];
  const server = createServer((connection) => {
    connection.on('data', (text) => told.push(String(text)));
    connection.on('error', () => {});
  });
  await new Promise<void>((listening) => server.listen(socket, listening));
  onTestFinished(() => void server.close());
  return { socket, told };
}

/** Says something to the socket, and works whether it was heard or not. */
function agentThatTells(socket: string): string[] {
  const code = `const s = require('node:net').connect(${JSON.stringify(socket)});
s.on('error', (error) => console.log(error.code)).on('connect', () => s.end('accept'));
s.on('close', () => require('node:fs').writeFileSync('a', 'x'));`;
  return ['--', process.execPath, '-e', code];
}

/** The word of the person as the journal has it. */
async function acceptedIn(box: Box): Promise<unknown> {
  const { run_id: run } = await box.show();
  const record = await openRecord(box.home, {});
  onTestFinished(() => record.close());
  return (await record.events(run)).map(readEvent).find(({ type }) => type === 'accept_requested');
}

describe('the D-Bus session of the person', () => {
  it('does nothing for the agent, whose work goes on', () =>
    inBox(async (box) => {
      const { socket, told } = await obedient(box);
      box.env['DBUS_SESSION_BUS_ADDRESS'] = `unix:path=${socket},guid=1`;
      const { exitCode, stdout, stderr } = await box.call(
        'run',
        '--json',
        '--check',
        'test -f a',
        'x',
        ...agentThatTells(socket),
      );
      expect(exitCode, stderr).toBe(0);
      expect(told).toEqual([]);
      expect(JSON.parse(stdout)).toMatchObject({ isolation: { home_hidden: true } });
    }));
});

describe('docker, where an agent reaches it', () => {
  it('is told at the start, and approvals are recorded as not told apart or refused by policy', () =>
    inBox(async (box) => {
      const { socket, told } = await obedient(box);
      box.env['DOCKER_HOST'] = `unix://${socket}`;
      box.policy({ restarts: 0 });
      const { stdout } = await box.call('run', '--check', 'false', 'x', ...agentThatTells(socket));
      expect(told).toEqual(['accept']);
      expect(stdout).toContain('docker starts whatever the agent tells it');
      expect((await box.call('doctor')).stdout).toMatch(/docker +in reach of agents/);
      expect((await box.call('accept', '@', '--note', 'mine')).exitCode).toBe(5);
      expect(await acceptedIn(box)).toMatchObject({ proof: 'not_told_apart' });
      box.policy({ restarts: 0, told_apart: 1 });
      await box.call('run', '--check', 'false', 'y', ...agentThatTells(socket));
      expect((await box.call('accept', '@', '--note', 'mine')).stderr).toContain('NOT_TOLD_APART');
    }));
});
