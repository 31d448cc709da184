import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inBox } from './box.ts';

const shell = (script: string) => ['--', 'sh', '-c', script];
const OLD_NODE = '/usr/bin/node';
const hasOldNode =
  existsSync(OLD_NODE) && Number(execFileSync(OLD_NODE, ['-p', 'process.versions.node.split(".")[0]'])) < 24;

describe('`mayday watch` without a run', () => {
  it('says that nothing is under way, or follows what is', () =>
    inBox(async (box) => {
      expect(await box.call('watch')).toMatchObject({ exitCode: 0, stdout: 'no run is under way\n' });
      const go = join(box.folder, 'go');
      const work = shell(`until test -e ${go}; do sleep 0.1; done; echo a > a`);
      for (const name of ['one', 'two'])
        await box.call('run', '--detach', '--check=test -f a', name, ...work);
      const watch = box.start(['watch']);
      watch.child.stdout?.once('data', () => writeFileSync(go, ''));
      const { exitCode, stdout } = await watch.done;
      expect(exitCode).toBe(0);
      expect(stdout.match(/ check test -f a: passes/g)).toHaveLength(2);
    }));
});

describe('`mayday diff`', () => {
  it('shows the workspace as it is now, before any checkpoint and after a restore', () =>
    inBox(async (box) => {
      const script = 'echo one > a.txt; sleep 600';
      await box.call('run', '--detach', '--check=false', 'write', ...shell(script));
      const { run_id: run } = await box.show();
      await box.until('it was written', () => existsSync(join(box.worktree(), 'a.txt')));
      expect((await box.call('diff', run)).stdout).toContain('+one');
      await box.call('stop', run);
      execFileSync('sh', ['-c', 'echo two > b.txt'], { cwd: box.worktree() });
      await box.call('checkpoint', run);
      await box.call('restore', `${run}@0`);
      expect((await box.call('diff', run)).stdout).not.toContain('+two');
    }));
});

describe('--max-wait', () => {
  it('is for all waits of a run together', () =>
    inBox(async (box) => {
      box.policy({ backoff_ms: 1_500, backoff_max_ms: 1_500 });
      const { exitCode, stdout } = await box.call(
        'run',
        '--max-wait=2s',
        '--check=false',
        'fail',
        ...shell('exit 7'),
      );
      expect({ exitCode, stdout }).toMatchObject({
        exitCode: 3,
        stdout: expect.stringContaining('still waits'),
      });
    }));
});

describe('retries without improvement', () => {
  it('are an alert also where each attempt was over at once', () =>
    inBox(async (box) => {
      box.policy({ backoff_ms: 1, backoff_max_ms: 1, restarts: 4, futile_rescues: 9 });
      await box.call('run', '--check=false', 'fail', ...shell('exit 7'));
      const { stdout } = await box.call('ps', '--alerts', '--json');
      expect(JSON.parse(stdout)).toContainEqual(
        expect.objectContaining({
          severity: 'critical',
          reason: '3 attempts without improvement',
          suggested_action: 'raise the blocker flag',
        }),
      );
      const shown = await box.call('ps', '--alerts');
      // For a person, the question that is open is the one thing to do about it.
      expect(shown.stdout).toMatch(/-> mayday inbox shows the choices; mayday answer \S+ NUMBER/);
      expect(shown.stdout).not.toContain('mayday flag');
    }));

  it('are flagged by the command that the alert names; a stopped run is resumed instead', () =>
    inBox(async (box) => {
      box.policy({ backoff_ms: 1, backoff_max_ms: 1, restarts: 9, futile_rescues: 9 });
      const count = join(box.folder, 'count');
      const script = `echo >> ${count}; test $(wc -l < ${count}) -lt 4 || sleep 600; exit 7`;
      await box.call('run', '--detach', '--check=false', 'fail', ...shell(script));
      const { run_id: run } = await box.show();
      const alert = async () => (await box.call('ps', '--alerts')).stdout;
      await box.until('the last attempt', () => existsSync(count) && readFileSync(count).length >= 4);
      await box.until('the alert', async () => (await alert()).includes('without improvement'));
      expect(await alert()).toContain(`-> mayday flag ${run} --reason "what is wrong"`);
      await box.call('stop', run);
      expect(await alert()).toContain(`-> mayday resume ${run} --note "what to do now"`);
      expect((await box.call('flag', run, '--reason', 'x')).exitCode).not.toBe(0);
      await box.call('resume', run, '--detach', '--note', 'what to do now');
      await box.until('the agent works', async () => (await box.show()).state === 'working');
      expect(await box.call('flag', run, '--reason', 'what is wrong')).toMatchObject({ exitCode: 0 });
      await box.until('the question', async () => (await alert()).includes('mayday answer'));
    }));
});

it('advice names npx to a person who started Mayday by it; a document names the program', () =>
  inBox(async (box) => {
    Object.assign(box.env, { npm_lifecycle_event: 'npx', npm_lifecycle_script: "'mayday'" });
    expect((await box.call('ps')).stdout).toBe('no runs yet: npx mayday run --help\n');
    const { stdout, stderr } = await box.call('show', 'k7f2', '--json');
    expect(stderr).toContain('npx mayday ps');
    expect(stdout).toContain('mayday ps');
    expect(stdout).not.toContain('npx');
    const said = await box.call('run', '--check=test -f a', 'x', ...shell('echo mayday show me; echo a > a'));
    expect(said.stdout).toMatch(/ npx mayday show \w+/);
    expect((await box.call('logs', '@')).stdout).toContain('  mayday show me');
  }));

/** The checkout's own: it finds Node 24 beside itself, which a bundle does not. */
const FRONT = resolve(import.meta.dirname, '../../bin/mayday.js');

describe('the front on an older Node', () => {
  it.skipIf(!hasOldNode)('passes an interrupt on, waits, and ends as the real one does', () =>
    inBox(async (box) => {
      const args = [FRONT, 'run', '--check=test -f a', 'write', ...shell('sleep 600; echo a > a')];
      const child = spawn(OLD_NODE, args, {
        cwd: box.repository,
        env: { ...process.env, MAYDAY_HOME: box.home, PATH: '/usr/bin:/bin' },
        stdio: 'ignore',
      });
      const ended = new Promise((settle) => child.once('close', (code) => settle(code)));
      await box.until('the agent works', async () => {
        const { stdout } = await box.call('ps', '--json');
        return (JSON.parse(stdout) as { attempts: { started_at: string | null }[] }[])[0]?.attempts[0]
          ?.started_at;
      });
      child.kill('SIGINT');
      expect(await ended).toBe(130);
      expect(await box.show()).toMatchObject({ state: 'waiting', delivered: null });
    }),
  );
});
