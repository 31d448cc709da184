import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { setTimeout as pause } from 'node:timers/promises';
import { createRedactor } from '../../src/record/redaction/redact.ts';
import { openSqliteRecord } from '../../src/record/sqlite/open.ts';
import { work } from '../../src/supervise/work.ts';
import { rowOf } from '../contracts/record/place.ts';

it('an error that nobody knows is the trouble of one run: the worker tries three times, tells it and works on', async () => {
  const home = mkdtempSync(join(tmpdir(), 'mayday-work-'));
  const record = await openSqliteRecord({ path: join(home, 'record.db') });
  const row = rowOf('broken', { state: 'queued' });
  await record.createRun({ runId: 'broken', events: [], row }, { owner: 'test', ttlMs: 1 });
  await record.releaseLease('broken', 1);
  const unreadable = {
    ...record,
    events: () => Promise.reject(new TypeError('a mistake of the program')),
  };
  const told: unknown[] = [];
  await work({
    home,
    record: unreadable,
    env: {},
    redactor: createRedactor(),
    concurrency: 1,
    untilIdle: true,
    signal: new AbortController().signal,
    onFailure: (_runId, error) => told.push(error),
  });
  const mistake = 'TypeError: a mistake of the program';
  expect(told.map(String)).toEqual([mistake, mistake, mistake]);
  await record.close();
  rmSync(home, { recursive: true });
});

it.runIf(process.platform === 'linux')(
  'while nothing happens the worker looks once a second; what another process queues is taken',
  async () => {
    const home = mkdtempSync(join(tmpdir(), 'mayday-work-'));
    const record = await openSqliteRecord({ path: join(home, 'record.db') });
    const looks: number[] = [];
    const stop = new AbortController();
    const told: string[] = [];
    const working = work({
      home,
      record: {
        ...record,
        unowned: () => {
          looks.push(performance.now());
          return record.unowned();
        },
        events: () => Promise.reject(new TypeError('a mistake of the program')),
      },
      env: {},
      redactor: createRedactor(),
      concurrency: 1,
      untilIdle: false,
      signal: stop.signal,
      onFailure: (runId) => told.push(runId),
    });
    while (looks.length < 4) await pause(20);
    const pauses = looks.slice(1).map((at, index) => at - (looks[index] ?? 0));
    // The first may have heard of the record being made.
    expect(Math.min(...pauses.slice(1))).toBeGreaterThan(900);
    const other = await openSqliteRecord({ path: join(home, 'record.db') });
    const row = rowOf('queued', { state: 'queued' });
    await other.createRun({ runId: 'queued', events: [], row }, { owner: 'test', ttlMs: 1 });
    await other.releaseLease('queued', 1);
    while (told.length === 0) await pause(20);
    expect(told[0]).toBe('queued');
    stop.abort();
    await working;
    await other.close();
    await record.close();
    rmSync(home, { recursive: true });
  },
);
