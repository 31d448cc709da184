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
});
