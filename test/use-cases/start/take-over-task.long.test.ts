/** A failed task of an external agent: done again by a run where the ladder has a rung, left to a person where it has none. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BusMessage } from '../../../src/core/bus/bus-message.ts';
import { DEFAULT_POLICY } from '../../../src/core/vocabulary/policy.ts';
import { publishMessage } from '../../../src/supervise/bus/publish-message.ts';
import { readBusMessage } from '../../../src/supervise/bus/read-bus-message.ts';
import { failedTasks } from '../../../src/supervise/bus/failed-tasks.ts';
import { loadState } from '../../../src/supervise/load-state.ts';
import { tendBus } from '../../../src/supervise/bus/tend-bus.ts';
import { createRedactor } from '../../../src/record/redaction/redact.ts';
import { takeOverTask } from '../../../src/use-cases/start/take-over-task.ts';
import { RehearsalRepository } from '../../context/rehearsal-repository.ts';

const CRASHED = 'Segmentation fault (core dumped)';
let world: RehearsalRepository;

beforeAll(async () => {
  world = await RehearsalRepository.make();
});
afterAll(() => world.remove());

const redactor = createRedactor({ environment: {} });

function say(taskId: string, message: Record<string, unknown>): Promise<number> {
  const read = readBusMessage({ type: 'TASK_UPDATE', task_id: taskId, agent_id: 'builder', ...message });
  return publishMessage(world.record, redactor, read, Date.now());
}

function takeOver(taskId: string): Promise<string | null> {
  const planner = { home: world.home, env: process.env, by: 'ann' };
  return takeOverTask(world.caller(), planner, { agentId: 'builder', taskId, cwd: world.repository });
}

const taskOf = (taskId: string) => world.record.busTask('builder', taskId);

test('the command of its earlier update is run under the name of its agent, once, and its end is the end of the task', async () => {
  await say('t1', { status: 'RUNNING', command: 'echo A > a.txt', checks: ['test -f a.txt'] });
  await say('t1', { status: 'FAILED', error: CRASHED });
  const runId = await takeOver('t1');
  expect(runId).not.toBeNull();
  expect(await taskOf('t1')).toMatchObject({ status: 'RUNNING', runId });
  await expect(say('t1', { status: 'COMPLETED' })).rejects.toMatchObject({ code: 'TASK_TAKEN_OVER' });
  expect(await takeOver('t1'), 'a second process').toBeNull();
  const state = await loadState(world.record, runId ?? '');
  expect(state.workspace?.kind, 'the checkout of the caller is left alone').toBe('worktree');
  expect(existsSync(join(world.repository, 'a.txt'))).toBe(false);
  expect(state.attempts[0]?.brief).toContain(CRASHED);
  await tendBus(world.record, DEFAULT_POLICY, Date.now());
  expect(await taskOf('t1')).toMatchObject({ status: 'COMPLETED', runId });
  const bodies = (await world.record.messages(0, 100)).map(({ body }) => JSON.parse(body) as BusMessage);
  expect(bodies.filter((one) => one.agent_id === `builder@${runId}`)).not.toHaveLength(0);
});

test.each([
  ['no command', CRASHED, undefined],
  ['a login that only a person can renew', '401 Unauthorized: invalid API key', 'true'],
])('%s: it stays FAILED until a person or its agent goes on', async (name, error, command) => {
  await say(name, { status: 'FAILED', error, command });
  expect(await takeOver(name)).toBeNull();
  expect(await taskOf(name)).toMatchObject({ status: 'FAILED' });
});

test('a run that never came to be leaves the task to its time limit', async () => {
  await say('t3', { status: 'FAILED', error: CRASHED, command: 'true' });
  const claim = {
    type: 'TASK_UPDATE',
    task_id: 't3',
    agent_id: 'builder',
    status: 'RUNNING',
    run_id: 'gone',
  };
  await world.record.publish([{ at: Date.now(), source: 'monitor', body: JSON.stringify(claim) }]);
  await tendBus(world.record, DEFAULT_POLICY, Date.now() + DEFAULT_POLICY.bus_task_limit_ms);
  expect((await taskOf('t3'))?.stop).not.toBeNull();
});

test('what a run took over is no failure of its own: the run tells how it stands; a plain failure is told in its own words', async () => {
  await say('t4', { status: 'FAILED', error: CRASHED, command: 'true' });
  const runId = await takeOver('t4');
  const ended = { type: 'TASK_UPDATE', task_id: 't4', agent_id: 'builder', status: 'FAILED', run_id: runId };
  const body = JSON.stringify({ ...ended, error: 'stopped for good by ann' });
  await world.record.publish([{ at: Date.now(), source: 'monitor', body }]);
  await say('t5', { status: 'FAILED', error: 'the gremlins are back' });
  const failed = await failedTasks(world.record);
  expect(failed.map(({ task_id }) => task_id)).not.toContain('t4');
  expect(failed.find(({ task_id }) => task_id === 't5')?.root_cause).toBe('the gremlins are back');
});
