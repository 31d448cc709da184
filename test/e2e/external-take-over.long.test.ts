import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Box, inBox } from './box.ts';

const TASK = ['--task', 't1', '--agent', 'builder'];
const DROPPED = 'Error: read ECONNRESET while it fetched the index';

/** The external agent gives up; its task says how it is done again. */
async function givesUp(box: Box, error: string, ...how: string[]): Promise<{ readonly run_id?: string }> {
  await box.call('bus', 'publish', ...TASK, '--status', 'RUNNING', ...how);
  const said = await box.call('bus', 'publish', ...TASK, '--status', 'FAILED', '--error', error, '--json');
  return JSON.parse(said.stdout) as { readonly run_id?: string };
}

/** The lines of the bus about the task itself. */
async function aboutTask(box: Box): Promise<readonly Record<string, unknown>[]> {
  const lines = (await box.call('bus')).stdout.trim().split('\n');
  return lines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ task_id }) => task_id === 't1');
}

it('a FAILED task that names a command is done again by a run and reassigned by the ladder; the task ends with it', () =>
  inBox(async (box) => {
    box.policy({ backoff_ms: 1, backoff_max_ms: 1 });
    appendFileSync(
      join(box.home, 'mayday.yaml'),
      'agents:\n  other: {command: [sh, -c, "echo A > a.txt"]}\n',
    );
    const how = [
      '--command',
      'echo begun >> log.txt; exit 1',
      '--check',
      'test -f a.txt',
      '--fallback',
      'other',
    ];
    const { run_id = '' } = await givesUp(box, DROPPED, ...how);
    expect(run_id).not.toBe('');
    await box.until('it is done', async () => (await box.show()).state === 'delivered');
    const names = (await box.show()).attempts.map(({ agent }) => agent);
    expect([names[0], names.at(-1)]).toEqual(['builder', 'other']);
    const told = await box.until('the task has ended', async () => {
      const lines = await aboutTask(box);
      return lines.at(-1)?.['status'] === 'COMPLETED' ? lines : undefined;
    });
    expect(told.map(({ status, source }) => [status, source])).toEqual([
      ['RUNNING', 'external'],
      ['FAILED', 'external'],
      ['RUNNING', 'monitor'],
      ['COMPLETED', 'monitor'],
    ]);
    expect(told.at(-1)).toMatchObject({ run_id, result_status: 'SUCCESS', scoring: { checks_passed: 1 } });
    expect((await box.call('inbox')).stdout).toContain('nothing needs you');
  }));

it('a task whose failure only a person can mend is not done again', () =>
  inBox(async (box) => {
    const said = await givesUp(box, '401 Unauthorized: invalid API key', '--command', 'touch done-again');
    expect(said.run_id).toBeUndefined();
    expect((await box.call('inbox')).stdout).toContain('task t1 of builder');
    expect((await aboutTask(box)).at(-1)).toMatchObject({ status: 'FAILED' });
  }));

it('STOP_AGENT for a task that a run took over stops the run; late words of the agent are refused', () =>
  inBox(async (box) => {
    box.policy({ stop_soft_ms: 300, stop_term_ms: 300 });
    await givesUp(box, DROPPED, '--command', 'echo A > a.txt; sleep 600');
    await box.until('it works', async () => {
      const shown = await box.show();
      return shown.state === 'working' && shown.attempts.length > 0;
    });
    const late = await box.call('bus', 'publish', ...TASK, '--status', 'COMPLETED');
    expect({ code: late.exitCode, said: late.stderr }).toMatchObject({
      code: 2,
      said: expect.stringContaining('again'),
    });
    const stop = {
      type: 'STOP_AGENT',
      agent_id: 'builder',
      task_id: 't1',
      reason: 'enough',
      deadline_ms: 1_000,
    };
    await box.shell(`printf '%s\\n' '${JSON.stringify(stop)}' | ${process.execPath} ${box.bin} bus publish`);
    await box.until('it is stopped', async () => (await box.show())['stopped'] === true);
  }));
