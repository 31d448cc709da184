import { expect, it } from 'vitest';
import { inBox } from './box.ts';

const TASK = ['--task', 't1', '--agent', 'builder'];
const ERROR = "Error: Cannot find module 'left-pad'";

it('a FAILED of an external agent is diagnosed, and shown in alerts, inbox and sync until its next try', () =>
  inBox(async (box) => {
    const bare = await box.call('bus', 'publish', ...TASK, '--status', 'FAILED');
    expect({ code: bare.exitCode, said: bare.stderr }).toMatchObject({
      code: 2,
      said: expect.stringContaining('error'),
    });
    await box.call('bus', 'publish', ...TASK, '--status', 'RUNNING', '--started-at', '2026-01-01T00:00:00Z');
    const score = ['--checks-passed', '2', '--checks-total', '3', '--tokens', '900'];
    const failed = await box.call(
      'bus',
      'publish',
      ...TASK,
      '--status',
      'FAILED',
      '--error',
      ERROR,
      ...score,
    );
    expect(failed).toMatchObject({ exitCode: 0 });
    const seen = { task_id: 't1', agent_id: 'builder' };
    expect(JSON.parse((await box.call('ps', '--alerts', '--json')).stdout)).toMatchObject([
      { ...seen, run_id: null, type: 'missing_dependency', severity: 'critical' },
    ]);
    const inbox = (await box.call('inbox')).stdout;
    expect(inbox).toContain('left-pad');
    expect(inbox).toContain('mayday agents clear builder');
    expect(JSON.parse((await box.call('inbox', '--json')).stdout)).toMatchObject([
      { ...seen, id: null, kind: 'external_failure', class: 'missing_dependency' },
    ]);
    expect((await box.call('report')).stdout).toContain('task t1 of builder failed: missing dependency');
    expect(JSON.parse((await box.call('sync', '--json')).stdout)).toMatchObject({
      external_failures: [{ ...seen, class: 'missing_dependency', category: 'environment' }],
    });
    const lines = (await box.call('bus')).stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(lines.at(-1)).toMatchObject({
      status: 'FAILED',
      scoring: { checks_passed: 2, checks_total: 3, tokens: 900 },
    });
    await box.call('bus', 'publish', ...TASK, '--status', 'RUNNING');
    expect(JSON.parse((await box.call('ps', '--alerts', '--json')).stdout)).toEqual([]);
    expect((await box.call('inbox')).stdout).toContain('nothing needs you');
    await box.call('bus', 'publish', ...TASK, '--status', 'FAILED', '--error', ERROR);
    expect(await box.call('agents', 'clear', 'builder'), 'as the inbox says').toMatchObject({ exitCode: 0 });
    expect((await box.call('inbox')).stdout).toContain('nothing needs you');
  }));

it('STOP_AGENT for a run of Mayday stops it within the deadline, and its work is safe', () =>
  inBox(async (box) => {
    box.policy({ stop_soft_ms: 600_000, stop_term_ms: 600_000 });
    const deaf = 'trap "" INT TERM; echo A > a.txt; while :; do sleep 1; done';
    await box.call('run', '--detach', 'work', '--', 'sh', '-c', deaf);
    const run = await box.until('it works', async () => {
      const shown = await box.show();
      return shown.state === 'working' && shown.attempts.length > 0 ? shown.run_id : undefined;
    });
    const stop = ['--type', 'STOP_AGENT', '--task', run, '--agent', 'x', '--reason', 'enough is enough'];
    expect(await box.call('bus', 'publish', ...stop, '--deadline-ms', '200')).toMatchObject({ exitCode: 0 });
    await box.until('it is stopped', async () => (await box.show())['stopped'] === true);
    const { stdout } = await box.call('bus');
    expect(stdout, 'why it was stopped').toContain('enough is enough');
    expect(stdout, 'the deadline that holds').toContain('"deadline_ms":200');
    expect((await box.call('diff', run)).stdout).toContain('a.txt');
  }));
