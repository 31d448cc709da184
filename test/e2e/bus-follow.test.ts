import { describe, expect, it } from 'vitest';
import { type Box, inBox } from './box.ts';

interface Line {
  readonly type: string;
  readonly id: number;
  readonly source: string;
  readonly agent_id: string;
}

const lines = (text: string): Line[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line);

/** A follower whose words can be read while it lives. */
function follower(box: Box, ...args: string[]) {
  const { child, done } = box.start(['bus', '--follow', ...args]);
  let text = '';
  child.stdout?.on('data', (more: string) => (text += more));
  return { said: () => lines(text), child, done };
}

const running = (task: string) => [
  'bus',
  'publish',
  '--task',
  task,
  '--agent',
  'lost',
  '--status',
  'RUNNING',
];

describe('mayday bus --follow', () => {
  it('alone on the machine it looks after a task that runs past its limit, and prints its own verdicts', () =>
    inBox(async (box) => {
      box.policy({ bus_task_limit_ms: 1_500, bus_stop_grace_ms: 500 });
      const { said, child, done } = follower(box);
      await box.call(...running('t1'));
      await box.until('it prints the flag', () => said().some(({ type }) => type === 'AGENT_FLAGGED'));
      child.kill('SIGTERM');
      expect((await done).exitCode).toBe(0);
      expect(said().map(({ type, source }) => `${source} ${type}`)).toEqual([
        'external TASK_UPDATE',
        'monitor CRITICAL',
        'monitor STOP_AGENT',
        'monitor TASK_UPDATE',
        'monitor AGENT_FLAGGED',
      ]);
      expect(said().map(({ id }) => id)).toEqual([1, 2, 3, 4, 5]);
    }));

  it('prints what was said before it was told to stop, and with --since only what is new', () =>
    inBox(async (box) => {
      await box.call(...running('t1'));
      const { said, child, done } = follower(box, '--since', '1');
      await box.call(...running('t2'));
      await box.until('it follows', () => said().length === 1);
      await box.call(...running('t3'));
      child.kill('SIGTERM');
      await done;
      expect(said().map(({ id }) => id)).toEqual([2, 3]);
      const wrong = await box.call('bus', '--since', 'yesterday');
      expect({ exitCode: wrong.exitCode, said: wrong.stderr }).toMatchObject({
        exitCode: 2,
        said: expect.stringContaining('WRONG_NUMBER'),
      });
    }));

  it('tells of supervised runs as they go', () =>
    inBox(async (box) => {
      const { said, child, done } = follower(box);
      expect((await box.call('run', '--check', 'true', '--', 'sh', '-c', 'echo A > a.txt')).exitCode).toBe(0);
      const { run_id } = await box.show();
      child.kill('SIGTERM');
      await done;
      expect(said()).toMatchObject([
        { type: 'TASK_UPDATE', source: 'run', task_id: run_id, status: 'PENDING' },
        { type: 'TASK_UPDATE', source: 'run', task_id: run_id, status: 'RUNNING' },
        {
          type: 'TASK_UPDATE',
          source: 'run',
          task_id: run_id,
          status: 'COMPLETED',
          result_status: 'SUCCESS',
          scoring: { checks_passed: 1, checks_total: 1, attempts: 1 },
        },
      ]);
    }));
});

describe('mayday bus publish', () => {
  it.each([
    ['without a task', ['--agent', 'a', '--status', 'RUNNING']],
    ['with a status that does not exist', ['--task', 't', '--agent', 'a', '--status', 'SLEEPING']],
    ["with a clear, which is a person's word", ['--type', 'AGENT_CLEARED', '--agent', 'a', '--reason', 'x']],
  ])('%s publishes nothing', (_, args) =>
    inBox(async (box) => {
      const { exitCode, stderr } = await box.call('bus', 'publish', ...args);
      expect({ exitCode, stderr }).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('WRONG_') });
      expect((await box.call('bus')).stdout).toBe('');
    }),
  );

  it('takes the other messages, too', () =>
    inBox(async (box) => {
      const about = ['--task', 't', '--agent', 'a', '--reason', 'tests hang'];
      expect((await box.call('bus', 'publish', '--type', 'CRITICAL', ...about)).stdout).toContain(
        'published 1',
      );
      const stop = await box.call(
        'bus',
        'publish',
        '--type',
        'STOP_AGENT',
        ...about,
        '--deadline-ms',
        '5000',
        '--json',
      );
      expect(stop.exitCode).toBe(0);
      expect(() => JSON.parse(stop.stdout) as unknown).not.toThrow();
      expect(lines((await box.call('bus')).stdout)).toMatchObject([
        { type: 'CRITICAL', agent_id: 'a', task_id: 't', reason: 'tests hang' },
        { type: 'STOP_AGENT', deadline_ms: 5_000 },
      ]);
    }));
});
