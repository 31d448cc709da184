import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
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
