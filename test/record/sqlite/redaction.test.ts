import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { RunRecord } from '../../../src/record/contract.ts';
import { createRedactor } from '../../../src/record/redaction/redact.ts';
import { openSqliteRecord } from '../../../src/record/sqlite/open.ts';
import { event, rowOf } from '../../contracts/record/place.ts';
import { newFolder } from './places.ts';

const SECRET = 'opensesame';
/** Fields whose values are a closed list. */
const CLOSED = new Set(['type', 'status', 'source', 'origin', 'kind']);

/** The value with the secret in every text: JSON stays JSON, and a name stays the same name. */
function planted<T>(value: T, field = ''): T {
  if (typeof value === 'string') {
    if (CLOSED.has(field)) return value;
    return (value.startsWith('{') ? JSON.stringify(planted(JSON.parse(value))) : `${value} ${SECRET}`) as T;
  }
  if (Array.isArray(value)) return value.map((each: unknown) => planted(each, field)) as T;
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, planted(each, name)])) as T;
}

const RUN = planted('run');
const BODY = '{"why":"because","list":["a"],"inner":{"b":"c"}}';
const MESSAGE = '{"type":"TASK_UPDATE","status":"RUNNING","task_id":"t","agent_id":"a","error":"e"}';
const turn = (id: string) =>
  planted({
    runId: 'run',
    events: [event('x', BODY), event('y', 'no json')],
    commands: [{ key: `k${id}`, type: 'do', body: BODY }],
    timers: { set: [{ name: 't', dueAt: 1 }], cancel: ['u'] },
    ledger: [{ id: `l${id}`, kind: 'note', at: 1, payload: BODY }],
    bus: [{ at: 1, source: 'run' as const, body: MESSAGE }],
    row: rowOf('run', { view: BODY, metrics: BODY }),
  });

/** Every method that writes, in an order in which all of them succeed. */
const WRITERS: { readonly [K in keyof RunRecord]?: (record: RunRecord) => Promise<unknown> } = {
  createRun: (record) => record.createRun(turn('1'), planted({ owner: 'o', ttlMs: 9e9 })),
  commit: (record) => record.commit({ ...turn('2'), settled: [planted('k1')], fence: 1, expectedSeq: 2 }),
  beginCommand: (record) => record.beginCommand({ runId: RUN, key: planted('k2'), fence: 1 }),
  renewLease: (record) => record.renewLease({ runId: RUN, fence: 1, ttlMs: 9e9 }),
  acquireLease: (record) =>
    record.acquireLease(planted({ runId: 'run', owner: 'p', ttlMs: 9e9, observedDeadFence: 1 })),
  post: (record) => record.post(RUN, planted(BODY)),
  publish: (record) => record.publish([{ at: 1, source: 'external', body: planted(MESSAGE) }]),
  changeHold: (record) =>
    record.changeHold({
      type: 'place',
      hold: planted({ key: 'h', kind: 'limit' as const, until: 1, reason: 'r', holder: 'run', at: 1 }),
    }),
  sight: (record) => record.sight(planted({ runId: 'run', key: 'k' })),
  appendEvidence: (record) =>
    record.appendEvidence(`@${SECRET}`, planted([{ id: 'e', kind: 'note', at: 1, payload: BODY }])),
  saveLessons: (record) =>
    record.saveLessons(
      planted([
        {
          repository: '/repo',
          id: 'lesson',
          hash: 'h',
          origin: 'file' as const,
          stamp: 's',
          updatedAt: 1,
          title: 't',
          guidance: 'g',
          words: 'w',
          document: BODY,
        },
      ]),
    ),
  saveMetrics: (record) =>
    record.saveMetrics(planted([{ id: 'm', repository: '/repo', at: 1, imported: true, body: BODY }])),
  removeLessons: (record) => record.removeLessons(planted('/repo'), [planted('lesson')]),
  erase: (record) => record.erase(planted('l1')),
  releaseLease: (record) => record.releaseLease(RUN, 2),
};

const READERS: readonly (keyof RunRecord)[] = [
  'begunSince',
  'busAgents',
  'busTask',
  'changes',
  'close',
  'events',
  'holds',
  // A record on one machine has none.
  'hosts',
  'lastChange',
  'lastMessage',
  'lease',
  'ledger',
  'lessons',
  'look',
  'mailbox',
  'messages',
  'metrics',
  'pendingCommands',
  'redacted',
  'row',
  'rows',
  'runningTasks',
  'searchLessons',
  'sightings',
  'timers',
  'unowned',
  'anchored',
  'verify',
];

let folder = '';
let record: RunRecord;
beforeEach(async () => {
  folder = await newFolder();
  record = await openSqliteRecord({
    path: join(folder, 'record.db'),
    redactor: () => createRedactor({ values: [SECRET] }),
  });
});
afterEach(() => record.close());

it('every method of the record is known here as one that writes or one that reads', () => {
  expect([...Object.keys(WRITERS), ...READERS].toSorted()).toEqual(Object.keys(record).toSorted());
});

it('no writer lets a secret through, whichever field it stands in', async () => {
  for (const [name, write] of Object.entries(WRITERS)) {
    expect(await write(record), name).not.toBe(false);
    for (const file of await readdir(folder)) {
      const bytes = await readFile(join(folder, file));
      expect(bytes.includes(SECRET), `${name} wrote it into ${file}`).toBe(false);
      // The anchor holds names of runs in base64.
      expect(bytes.includes(Buffer.from(RUN).toString('base64url').slice(0, -2)), name).toBe(false);
    }
  }
  expect(await record.verify()).toEqual([]);
});

it('what was written under a name with a secret in it is found under the same name', async () => {
  await WRITERS.createRun?.(record);
  await WRITERS.post?.(record);
  expect(await record.events(RUN)).toHaveLength(2);
  expect(await record.pendingCommands(RUN)).toHaveLength(1);
  expect(await record.mailbox(RUN)).toHaveLength(1);
  expect(await record.row(RUN)).toMatchObject({ title: 'task of run [redacted:known-secret]' });
});

it('bodies without a secret are kept byte for byte', async () => {
  const clean = '{ "b" : 1.0, "a":"\\u0041" }';
  const events = [event('x', clean), event('y', `{"password":"hunter22","n":1}`)];
  await record.createRun({ runId: 'a', events, row: rowOf('a') }, { owner: '', ttlMs: 1 });
  expect((await record.events('a')).map(({ body }) => body)).toEqual([
    clean,
    '{"password":"[redacted:assignment]","n":1}',
  ]);
});
