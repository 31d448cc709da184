import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inBox } from './box.ts';

describe('submit and work', () => {
  it('a submitted task waits in the queue until a worker takes it, and the worker ends when it is idle', () =>
    inBox(async (box) => {
      const told = await box.call(
        'submit',
        '--check',
        'test -f a.txt',
        'write a',
        '--',
        'sh',
        '-c',
        'echo A > a.txt',
      );
      expect({ exitCode: told.exitCode, said: told.stdout }).toMatchObject({
        exitCode: 0,
        said: expect.stringMatching(/^mayday {2}run \w+ is queued; mayday work takes it\n$/),
      });
      const { run_id, state, attempts } = await box.show();
      expect({ state, attempts }).toEqual({ state: 'queued', attempts: [] });
      // Looking is not taking.
      await box.call('show', run_id);
      expect(box.processes()).toEqual([]);
      expect((await box.show()).state).toBe('queued');

      const worked = await box.call('work', '--until-idle', '--json');
      expect(worked.exitCode).toBe(0);
      expect(JSON.parse(worked.stdout)).toEqual({ runs: [{ run_id, end: 'ended' }] });
      expect((await box.show()).state).toBe('delivered');
      const idle = await box.call('work', '--until-idle');
      expect({ exitCode: idle.exitCode, stdout: idle.stdout }).toEqual({ exitCode: 0, stdout: '' });
    }));

  it('a worker that is interrupted leaves its run to whoever comes next, with nothing done twice', () =>
    inBox(async (box) => {
      const agent = join(box.folder, 'agent.sh');
      const wait = `while ! test -f ${box.folder}/go; do sleep 0.1; done`;
      writeFileSync(agent, `echo begun >> ${box.folder}/begun.log; ${wait}; echo A > a.txt`);
      const { run_id } = JSON.parse(
        (await box.call('submit', '--json', '--check', 'test -f a.txt', 'write a', '--', 'sh', agent)).stdout,
      ) as { run_id: string };
      const first = box.start(['work']);
      await box.until('the agent works', () => existsSync(join(box.folder, 'begun.log')));
      first.child.kill('SIGINT');
      expect((await first.done).exitCode).toBe(130);
      writeFileSync(join(box.folder, 'go'), '');
      const second = await box.call('work', '--until-idle', '--json');
      expect(second.exitCode).toBe(0);
      await box.until('it is delivered', async () => (await box.show()).state === 'delivered');
      const { attempts } = await box.show();
      expect(attempts).toHaveLength(1);
      expect(readFileSync(join(box.folder, 'begun.log'), 'utf8')).toBe('begun\n');
      expect(box.git('show', `mayday/${run_id}:a.txt`)).toBe('A\n');
    }));

  it.each([['0'], ['many'], ['1001']])('a concurrency of %s is refused', (concurrency) =>
    inBox(async (box) => {
      const { exitCode, stderr } = await box.call('work', '--concurrency', concurrency);
      expect({ exitCode, stderr }).toMatchObject({
        exitCode: 2,
        stderr: expect.stringContaining('WRONG_NUMBER'),
      });
    }),
  );

  it('a submitted run can be stopped for good before anybody takes it', () =>
    inBox(async (box) => {
      await box.call('submit', 'x', '--', 'true');
      const { run_id } = await box.show();
      expect((await box.call('stop', run_id)).exitCode).toBe(0);
      await box.call('work', '--until-idle');
      const { state, attempts } = await box.show();
      expect({ state, attempts }).toEqual({ state: 'abandoned', attempts: [] });
    }));
});
