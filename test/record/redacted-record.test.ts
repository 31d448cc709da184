import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createRedactor } from '../../src/record/redact.ts';
import { redactedRecord } from '../../src/record/redacted-record.ts';
import { openSqliteRecord } from '../../src/record/sqlite/open.ts';
import { newFolder } from './sqlite/places.ts';

const SECRET = 'opensesame';
const ROW = {
  runId: 'a',
  title: `say ${SECRET}`,
  state: 'running',
  stage: 'build',
  agent: '',
  repository: '',
  createdAt: 1,
  updatedAt: 1,
  progressAt: 1,
  costUsd: 0,
  needsPerson: false,
  ended: false,
  view: `{"why":"${SECRET}"}`,
} as const;

it('a redacted record puts no secret on disk, whoever forgot it, and leaves clean bodies byte for byte', async () => {
  const folder = await newFolder();
  const record = redactedRecord(
    await openSqliteRecord({ path: join(folder, 'record.db') }),
    createRedactor({ values: [SECRET] }),
  );
  const clean = '{ "b" : 1.0, "a":"\\u0041" }';
  const at = 1;
  const turn = {
    runId: 'a',
    events: [
      { at, version: 1, type: 'x', body: `{"list":["${SECRET}"],"password":"hunter22","n":1}` },
      { at, version: 1, type: 'y', body: clean },
      { at, version: 1, type: 'z', body: `not json ${SECRET}` },
    ],
    commands: [{ key: 'k', type: 'do', body: `{"env":"${SECRET}"}` }],
    ledger: [{ id: 'l', kind: 'note', at, payload: `"${SECRET}"` }],
    bus: [
      {
        at,
        source: 'run' as const,
        body: `{"type":"CRITICAL","agent_id":"a","task_id":"t","reason":"${SECRET}"}`,
      },
    ],
    row: ROW,
  };
  await record.createRun(turn, { owner: '', ttlMs: 1 });
  await record.commit({ ...turn, fence: 1, expectedSeq: 3, commands: [], ledger: [] });
  await record.publish([
    { at, source: 'external', body: `{"type":"CRITICAL","agent_id":"a","task_id":"t","error":"${SECRET}"}` },
  ]);
  await record.post('a', JSON.stringify({ note: SECRET }));
  expect((await record.events('a')).slice(0, 3).map(({ body }) => body)).toEqual([
    '{"list":["[redacted:known-secret]"],"password":"[redacted:assignment]","n":1}',
    clean,
    'not json [redacted:known-secret]',
  ]);
  for (const file of ['record.db', 'record.db-wal'])
    expect((await readFile(join(folder, file))).includes(SECRET), file).toBe(false);
  await record.close();
});
