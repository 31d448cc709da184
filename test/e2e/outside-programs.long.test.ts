/** A program of the person outside the run, which does what it is told: the agent does not reach its socket. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
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
      expect(text).not.toContain('exit 0');
      expect(exitCode, stdout + stderr).toBe(3);
      const { run_id: run } = JSON.parse(stdout) as { run_id: string };
      tmux('new-session', '-d', `cd ${box.repository}; ${speak(run)}; ${TMUX} wait -S heard`);
      tmux('wait', 'heard');
      expect(readFileSync(said, 'utf8')).toContain('exit 0');
      expect(await box.show()).toMatchObject({ state: 'delivered' });
    }));
});
