import { describe, expect, it } from 'vitest';
import type { BusEntry, BusMessage, BusSource } from '../../../src/core/bus/bus-message.ts';
import { type BusTask, foldTask } from '../../../src/core/bus/bus-task.ts';
import { judgeTasks } from '../../../src/core/bus/monitor.ts';

const LIMITS = { bus_task_limit_ms: 300_000, bus_stop_grace_ms: 15_000 };

class Task {
  now: BusTask | null = null;
  #id = 0;

  say(at: number, message: Record<string, unknown>, source: BusSource = 'external'): this {
    this.#id += 1;
    const full = { task_id: 't', agent_id: 'a', error: null, ...message } as unknown as BusMessage;
    const entry: BusEntry = { id: this.#id, at, source, message: full };
    this.now = foldTask(this.now, entry) ?? this.now;
    return this;
  }

  status(status: string, at: number): this {
    return this.say(at, { type: 'TASK_UPDATE', status });
  }

  /** What the monitor says at that time; it is heard. */
  looked(at: number): string[] {
    const said = judgeTasks(this.now === null ? [] : [this.now], LIMITS, at).flatMap(
      ({ messages }) => messages,
    );
    for (const message of said) this.say(at, { ...message }, 'monitor');
    return said.map((message) => (message.type === 'TASK_UPDATE' ? message.status : message.type));
  }
}

describe('a task of an external agent', () => {
  it('is left alone until its limit, then told to stop, then failed and flagged, each once', () => {
    const task = new Task().status('RUNNING', 1_000);
    expect(task.looked(300_999)).toEqual([]);
    expect(task.looked(301_000)).toEqual(['CRITICAL', 'STOP_AGENT']);
    expect(task.looked(315_999)).toEqual([]);
    expect(task.looked(316_000)).toEqual(['FAILED', 'AGENT_FLAGGED']);
    expect(task.now).toMatchObject({ status: 'FAILED', error: 'Agent unresponsive timeout' });
    expect(task.looked(999_999_999)).toEqual([]);
  });

  it('is not bought time by saying RUNNING again', () => {
    const task = new Task().status('RUNNING', 0).status('RUNNING', 299_000);
    expect(task.looked(300_000)).toEqual(['CRITICAL', 'STOP_AGENT']);
    expect(task.status('RUNNING', 301_000).looked(315_000)).toEqual(['FAILED', 'AGENT_FLAGGED']);
  });

  it('that ends within the grace is believed', () => {
    const task = new Task().status('RUNNING', 0);
    task.looked(300_000);
    expect(task.status('COMPLETED', 310_000).looked(400_000)).toEqual([]);
  });

  it('has its whole limit again in another try, and none while it only waits', () => {
    const task = new Task().status('RUNNING', 0).status('FAILED', 100).status('RUNNING', 290_000);
    expect(task.looked(310_000)).toEqual([]);
    expect(task.status('PENDING', 311_000).looked(900_000)).toEqual([]);
  });

  it('is not stopped for the word of another agent, and runs of Mayday are no tasks of the bus', () => {
    const task = new Task().status('RUNNING', 0);
    task.say(10, { type: 'STOP_AGENT', reason: 'I want it', deadline_ms: 0 });
    expect(task.looked(20)).toEqual([]);
    expect(new Task().say(0, { type: 'TASK_UPDATE', status: 'RUNNING' }, 'run').now).toBeNull();
  });
});

it('the monitor keeps the times and scores that the task told itself', () => {
  const told = {
    checks_passed: 2,
    checks_total: 3,
    attempts: 1,
    tokens: 900,
    cost_usd: null,
    duration_ms: null,
  };
  const update = {
    type: 'TASK_UPDATE',
    task_id: 't',
    agent_id: 'a',
    error: null,
    completed_at: null,
    result_status: null,
  } as const;
  const running = {
    ...update,
    status: 'RUNNING',
    started_at: '2026-01-01T00:00:00.000Z',
    scoring: told,
  } as const;
  const first = foldTask(null, { id: 1, at: 1_000, source: 'external', message: running });
  const later = { ...running, started_at: null, scoring: null };
  const second = foldTask(first, { id: 2, at: 2_000, source: 'external', message: later });
  const stop = { type: 'STOP_AGENT', task_id: 't', agent_id: 'a', reason: 'x', deadline_ms: 10 } as const;
  const stopping = foldTask(second, { id: 3, at: 3_000, source: 'monitor', message: stop });
  const policy = { bus_task_limit_ms: 100, bus_stop_grace_ms: 10 };
  expect(judgeTasks([stopping as BusTask], policy, 9_000)[0]?.messages[0]).toMatchObject({
    status: 'FAILED',
    started_at: '2026-01-01T00:00:00.000Z',
    scoring: { checks_passed: 2, tokens: 900, duration_ms: 8_000 },
  });
});
