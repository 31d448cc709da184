import { describe, expect, it } from 'vitest';
import {
  type NewBusMessage,
  type NewEvent,
  type RunRecord,
  type RunRow,
  StaleWriter,
  type StoredLesson,
  type Turn,
} from '../../src/record/contract.ts';

/** A place for one record; every `open` is another process's view of the same record. */
export interface RecordPlace {
  /** By which a child process finds the same record, see test/fixtures/record/open-record.ts. */
  readonly address: string;
  open(): Promise<RunRecord>;
  remove(): Promise<void>;
}

const LATER = 60_000;

function event(type: string, body = '{}', at = 1): NewEvent {
  return { at, version: 1, type, body };
}

function rowOf(runId: string, change: Partial<RunRow> = {}): RunRow {
  return {
    runId,
    title: `task of ${runId}`,
    state: 'running',
    stage: 'build',
    agent: 'rehearsal',
    repository: '/repo',
    createdAt: 1,
    updatedAt: 1,
    progressAt: 1,
    costUsd: 0.25,
    needsPerson: false,
    ended: false,
    view: '{}',
    ...change,
  };
}

export async function created(
  record: RunRecord,
  runId: string,
  turn: Partial<Omit<Turn, 'runId'>> = {},
): Promise<void> {
  await record.createRun(
    { runId, events: [event('run_created')], row: rowOf(runId), ...turn },
    { owner: 'first', expiresAt: LATER },
  );
}

/** Every store keeps these; `openPlace` gives an empty record. */
export function describeRecord(name: string, openPlace: () => Promise<RecordPlace>): void {
  const inPlace =
    (body: (place: RecordPlace, record: RunRecord) => Promise<void>): (() => Promise<void>) =>
    async () => {
      const place = await openPlace();
      const record = await place.open();
      try {
        await body(place, record);
      } finally {
        await record.close();
        await place.remove();
      }
    };
  const withRecord = (body: (record: RunRecord) => Promise<void>) => inPlace((_, record) => body(record));

  describe(`${name}: turns`, () => {
    it(
      'gives events numbers from 1 without gaps and keeps them in order',
      withRecord(async (record) => {
        await created(record, 'a', { events: [event('one'), event('two')] });
        await record.commit({
          runId: 'a',
          fence: 1,
          expectedSeq: 2,
          events: [event('three', '{}', 7)],
          row: rowOf('a'),
        });
        const events = await record.events('a');
        expect(events.map(({ seq, type, fence }) => [seq, type, fence])).toEqual([
          [1, 'one', 1],
          [2, 'two', 1],
          [3, 'three', 1],
        ]);
        expect(events[2]?.at).toBe(7);
        expect((await record.events('a', 2)).map(({ seq }) => seq)).toEqual([3]);
        expect(await record.events('b')).toEqual([]);
      }),
    );

    it(
      'keeps events of unknown type and version byte for byte',
      inPlace(async (place, record) => {
        const bodies = [
          '{"b":1,"a":1.0e2,"a":2}',
          ' { "x" : "\\ud800 \\u0000 é é" }\n',
          '{"raw":"\u0000 \u2028 🛟"}',
          '',
        ];
        await created(record, 'a', {
          events: bodies.map((body) => ({ at: 1, version: 9_000, type: 'from_the_future', body })),
        });
        const other = await place.open();
        const events = await other.events('a');
        await other.close();
        expect(events.map(({ body }) => body)).toEqual(bodies);
        expect(events.every(({ version, type }) => version === 9_000 && type === 'from_the_future')).toBe(
          true,
        );
      }),
    );

    it(
      'refuses a body that would come back changed, and a body beyond the limit, whole',
      withRecord(async (record) => {
        await created(record, 'a');
        const bad = (body: string): Promise<void> =>
          record.commit({
            runId: 'a',
            fence: 1,
            expectedSeq: 1,
            events: [event('fine'), event('bad', body)],
            row: rowOf('a'),
          });
        await expect(bad('"\ud800"')).rejects.toThrow(TypeError);
        await expect(bad('x'.repeat(17 * 1024 * 1024))).rejects.toMatchObject({ code: 'RECORD_TOO_LARGE' });
        expect(await record.events('a')).toHaveLength(1);
      }),
    );

    it(
      'refuses a run that exists, also under another case or Unicode form, and leaves the first alone',
      withRecord(async (record) => {
        await created(record, 'Café');
        for (const id of ['Café', 'café', 'Cafe\u0301'])
          await expect(created(record, id), id).rejects.toMatchObject({ code: 'RUN_EXISTS' });
        expect(await record.events('Café')).toHaveLength(1);
        expect(await record.rows()).toHaveLength(1);
      }),
    );

    it(
      'refuses a writer that has not seen the last event',
      withRecord(async (record) => {
        await created(record, 'a');
        const turn = { runId: 'a', fence: 1, expectedSeq: 1, events: [event('x')], row: rowOf('a') };
        await record.commit(turn);
        await expect(record.commit(turn)).rejects.toBeInstanceOf(StaleWriter);
        await expect(record.commit({ ...turn, expectedSeq: 3 })).rejects.toBeInstanceOf(StaleWriter);
        expect(await record.events('a')).toHaveLength(2);
      }),
    );

    it(
      'refuses a turn for a run that does not exist',
      withRecord(async (record) => {
        await expect(
          record.commit({
            runId: 'ghost',
            fence: 1,
            expectedSeq: 0,
            events: [event('x')],
            row: rowOf('ghost'),
          }),
        ).rejects.toBeInstanceOf(StaleWriter);
        expect(await record.rows()).toEqual([]);
      }),
    );

    it(
      'writes a turn whole or not at all',
      withRecord(async (record) => {
        await created(record, 'a', { commands: [{ key: 'k', type: 'start', body: '{}' }] });
        await record.post('a', 1, '"mail"');
        const [mail] = await record.mailbox('a');
        const before = await everything(record, 'a');
        const turn: Turn = {
          runId: 'a',
          fence: 1,
          expectedSeq: 1,
          events: [event('x'), event('y')],
          commands: [{ key: 'k2', type: 'stop', body: '{}' }],
          settled: ['k'],
          timers: { set: [{ name: 't', dueAt: 5 }], cancel: [] },
          ledger: [{ id: 'l1', kind: 'check', at: 1, payload: '{"ok":true}' }],
          acknowledged: [mail?.id as number],
          row: rowOf('a', { state: 'changed' }),
        };
        const broken: readonly Partial<Turn>[] = [
          { settled: ['k', 'never_asked'] },
          { acknowledged: [mail?.id as number, 999] },
          { ledger: [...(turn.ledger ?? []), { id: 'l2', kind: 'check', at: 1, payload: 'no json' }] },
          { ledger: [...(turn.ledger ?? []), ...(turn.ledger ?? [])] },
          { commands: [...(turn.commands ?? []), { key: 'k', type: 'start', body: '{"other":1}' }] },
          { row: rowOf('a', { costUsd: Number.NaN }) },
          { expectedSeq: 0 },
          { fence: 2 },
        ];
        for (const change of broken) {
          await expect(record.commit({ ...turn, ...change }), JSON.stringify(change)).rejects.toThrow();
          expect(await everything(record, 'a')).toEqual(before);
        }
        await record.commit(turn);
        const after = await everything(record, 'a');
        expect(after.events).toHaveLength(3);
        expect(after.commands.map(({ key }) => key)).toEqual(['k2']);
        expect(after.timers).toHaveLength(1);
        expect(after.ledger).toHaveLength(1);
        expect(after.mailbox).toEqual([]);
        expect(after.row?.state).toBe('changed');
      }),
    );
  });

  describe(`${name}: leases and fences`, () => {
    it(
      'gives a new run to its creator under fence 1',
      withRecord(async (record) => {
        await created(record, 'a');
        expect(await record.lease('a')).toEqual({ runId: 'a', owner: 'first', fence: 1, expiresAt: LATER });
        expect(await record.lease('ghost')).toBeNull();
      }),
    );

    it(
      'gives a lease away only when it is free, expired, or its owner was seen dead',
      withRecord(async (record) => {
        await created(record, 'a');
        const ask = { runId: 'a', owner: 'second', now: LATER - 1, ttlMs: 1000 };
        expect(await record.acquireLease(ask)).toBeNull();
        expect(await record.acquireLease({ ...ask, observedDeadFence: 2 })).toBeNull();
        expect(await record.acquireLease({ ...ask, observedDeadFence: 1 })).toBe(2);
        // The death of the first owner says nothing about the second.
        expect(await record.acquireLease({ ...ask, observedDeadFence: 1 })).toBeNull();
        expect(await record.acquireLease({ ...ask, now: LATER + 998 })).toBeNull();
        expect(await record.acquireLease({ ...ask, owner: 'third', now: LATER + 999 })).toBe(3);
        expect(await record.lease('a')).toMatchObject({ owner: 'third', fence: 3, expiresAt: LATER + 1999 });
        await record.releaseLease('a', 3);
        expect(await record.lease('a')).toBeNull();
        expect(await record.acquireLease({ ...ask, now: 0 })).toBe(4);
        expect(await record.acquireLease({ ...ask, runId: 'ghost' })).toBeNull();
      }),
    );

    it(
      'makes an owner harmless whose lease was taken or released',
      withRecord(async (record) => {
        await created(record, 'a', { commands: [{ key: 'k', type: 'start', body: '{}' }] });
        const fence = await record.acquireLease({ runId: 'a', owner: 'second', now: LATER, ttlMs: 1000 });
        const turn = { runId: 'a', expectedSeq: 1, events: [event('x')], row: rowOf('a') };
        await expect(record.commit({ ...turn, fence: 1 })).rejects.toBeInstanceOf(StaleWriter);
        expect(await record.renewLease({ runId: 'a', fence: 1, now: LATER, ttlMs: 99_000 })).toBe(false);
        expect(await record.beginCommand({ runId: 'a', key: 'k', fence: 1, now: LATER })).toBe(false);
        await record.releaseLease('a', 1);
        expect(await record.lease('a')).toMatchObject({ owner: 'second', fence, expiresAt: LATER + 1000 });
        expect((await record.pendingCommands('a'))[0]?.begunAt).toBeNull();

        await record.releaseLease('a', 2);
        await expect(record.commit({ ...turn, fence: 2 })).rejects.toBeInstanceOf(StaleWriter);
        expect(await record.renewLease({ runId: 'a', fence: 2, now: LATER, ttlMs: 1000 })).toBe(false);
        expect(await record.events('a')).toHaveLength(1);
      }),
    );

    it(
      'lets an owner renew, also late, as long as nobody took over',
      withRecord(async (record) => {
        await created(record, 'a');
        expect(await record.renewLease({ runId: 'a', fence: 1, now: LATER * 2, ttlMs: 500 })).toBe(true);
        expect(await record.lease('a')).toMatchObject({ fence: 1, expiresAt: LATER * 2 + 500 });
        expect(await record.renewLease({ runId: 'ghost', fence: 1, now: 0, ttlMs: 500 })).toBe(false);
      }),
    );
  });

  describe(`${name}: commands`, () => {
    it(
      'keeps commands in the order asked until their outcome is committed',
      withRecord(async (record) => {
        const commands = ['c', 'a', 'b'].map((key) => ({ key, type: 'do', body: `{"key":"${key}"}` }));
        await created(record, 'r', { events: [event('x', '{}', 42)], commands });
        const pending = await record.pendingCommands('r');
        expect(pending).toEqual(
          commands.map((command) => ({ ...command, runId: 'r', seq: 1, createdAt: 42, begunAt: null })),
        );
        await record.commit({
          runId: 'r',
          fence: 1,
          expectedSeq: 1,
          events: [event('done')],
          settled: ['a'],
          row: rowOf('r'),
        });
        expect((await record.pendingCommands('r')).map(({ key }) => key)).toEqual(['c', 'b']);
      }),
    );

    it(
      'remembers that a command was begun, and never begins one that is settled or unknown',
      withRecord(async (record) => {
        await created(record, 'r', { commands: [{ key: 'k', type: 'do', body: '{}' }] });
        expect(await record.beginCommand({ runId: 'r', key: 'k', fence: 1, now: 5 })).toBe(true);
        expect((await record.pendingCommands('r'))[0]?.begunAt).toBe(5);
        await record.commit({
          runId: 'r',
          fence: 1,
          expectedSeq: 1,
          events: [event('done')],
          settled: ['k'],
          row: rowOf('r'),
        });
        expect(await record.beginCommand({ runId: 'r', key: 'k', fence: 1, now: 6 })).toBe(false);
        expect(await record.beginCommand({ runId: 'r', key: 'other', fence: 1, now: 6 })).toBe(false);
        expect(await record.beginCommand({ runId: 'ghost', key: 'k', fence: 1, now: 6 })).toBe(false);
      }),
    );

    it(
      'does not ask twice for a command with the same key, not even after it was settled',
      withRecord(async (record) => {
        const commands = [{ key: 'k', type: 'do', body: '{}' }];
        await created(record, 'r', { commands });
        const turn = { runId: 'r', fence: 1, events: [event('x')], row: rowOf('r') };
        await record.commit({ ...turn, expectedSeq: 1, commands });
        expect(await record.pendingCommands('r')).toHaveLength(1);
        await record.commit({ ...turn, expectedSeq: 2, settled: ['k'] });
        await record.commit({ ...turn, expectedSeq: 3, commands });
        expect(await record.pendingCommands('r')).toEqual([]);
      }),
    );

    it(
      'keeps equal keys of two runs apart',
      withRecord(async (record) => {
        for (const runId of ['r', 's'])
          await created(record, runId, { commands: [{ key: 'k', type: 'do', body: runId }] });
        await record.commit({
          runId: 'r',
          fence: 1,
          expectedSeq: 1,
          events: [event('x')],
          settled: ['k'],
          row: rowOf('r'),
        });
        expect(await record.pendingCommands('r')).toEqual([]);
        expect(await record.pendingCommands('s')).toMatchObject([{ runId: 's', body: 's' }]);
      }),
    );
  });

  describe(`${name}: timers, mailbox, unowned runs`, () => {
    it(
      'sets, moves and cancels timers with the turn',
      withRecord(async (record) => {
        await created(record, 'a', {
          timers: {
            set: [
              { name: 'x', dueAt: 9 },
              { name: 'y', dueAt: 8 },
            ],
            cancel: [],
          },
        });
        const turn = { runId: 'a', fence: 1, events: [event('x')], row: rowOf('a') };
        await record.commit({
          ...turn,
          expectedSeq: 1,
          timers: { set: [{ name: 'x', dueAt: 4 }], cancel: ['y', 'none'] },
        });
        expect(await record.timers('a')).toEqual([{ runId: 'a', name: 'x', dueAt: 4 }]);
        await record.commit({
          ...turn,
          expectedSeq: 2,
          timers: { set: [{ name: 'x', dueAt: 2 ** 45 }], cancel: ['x'] },
        });
        expect(await record.timers('a')).toEqual([{ runId: 'a', name: 'x', dueAt: 2 ** 45 }]);
      }),
    );

    it(
      'keeps mail in order until a turn takes it, and lets it be taken once',
      inPlace(async (place, record) => {
        await created(record, 'a');
        await created(record, 'b');
        const other = await place.open();
        await other.post('a', 5, '{"ask":"stop"}');
        await other.post('b', 6, '"other"');
        await other.post('a', 7, '"second"');
        await other.close();
        const mail = await record.mailbox('a');
        expect(mail.map(({ runId, at, body }) => [runId, at, body])).toEqual([
          ['a', 5, '{"ask":"stop"}'],
          ['a', 7, '"second"'],
        ]);
        const ids = mail.map(({ id }) => id);
        const turn = { runId: 'a', fence: 1, events: [event('x')], row: rowOf('a') };
        await record.commit({ ...turn, expectedSeq: 1, acknowledged: ids });
        expect(await record.mailbox('a')).toEqual([]);
        await expect(
          record.commit({ ...turn, expectedSeq: 2, acknowledged: ids.slice(0, 1) }),
        ).rejects.toBeInstanceOf(StaleWriter);
        await record.post('a', 8, '"third"');
        expect((await record.mailbox('a'))[0]?.id).toBeGreaterThan(Math.max(...ids));
        expect(await record.mailbox('b')).toHaveLength(1);
        await expect(record.post('ghost', 1, '1')).rejects.toMatchObject({ code: 'RUN_UNKNOWN' });
      }),
    );

    it(
      'names the runs that wait for somebody while nobody owns them',
      withRecord(async (record) => {
        const now = LATER;
        const release = (runId: string): Promise<void> => record.releaseLease(runId, 1);
        await created(record, 'dead_owner');
        await created(record, 'owned');
        await record.renewLease({ runId: 'owned', fence: 1, now, ttlMs: 1000 });
        await record.post('owned', 1, '1');
        await created(record, 'quiet');
        await release('quiet');
        await created(record, 'command', { commands: [{ key: 'k', type: 'do', body: '' }] });
        await release('command');
        await created(record, 'due', { timers: { set: [{ name: 't', dueAt: now }], cancel: [] } });
        await release('due');
        await created(record, 'not_due', { timers: { set: [{ name: 't', dueAt: now + 1 }], cancel: [] } });
        await release('not_due');
        await created(record, 'mail');
        await release('mail');
        await record.post('mail', 1, '1');
        await created(record, 'ended', { row: rowOf('ended', { ended: true }) });
        expect(await record.unowned(now)).toEqual(['dead_owner', 'command', 'due', 'mail']);
      }),
    );
  });

  describe(`${name}: the bus`, () => {
    const update = (status: string, agent = 'ann', task = 't1', at = 1): NewBusMessage => ({
      at,
      source: 'external',
      body: JSON.stringify({ type: 'TASK_UPDATE', task_id: task, agent_id: agent, status, error: null }),
    });

    it(
      'numbers messages from 1 without gaps, keeps them byte for byte, and gives them in pages',
      inPlace(async (place, record) => {
        const odd = '{ "type" : "CRITICAL", "agent_id":"a", "task_id":"t", "reason":"\\u0000 é 🛟" }';
        expect(await record.lastMessage()).toBe(0);
        expect(await record.publish([update('RUNNING'), { at: 5, source: 'external', body: odd }])).toEqual([
          1, 2,
        ]);
        await created(record, 'r', { bus: [{ ...update('PENDING', 'x@r', 'r'), source: 'run' }] });
        const other = await place.open();
        expect(await other.publish([update('COMPLETED')])).toEqual([4]);
        expect((await other.messages(0, 10)).map(({ id, source }) => [id, source])).toEqual([
          [1, 'external'],
          [2, 'external'],
          [3, 'run'],
          [4, 'external'],
        ]);
        expect(await other.messages(1, 1)).toEqual([{ id: 2, at: 5, source: 'external', body: odd }]);
        expect(await other.messages(4, 10)).toEqual([]);
        expect(await other.lastMessage()).toBe(4);
        expect(await other.verify()).toEqual([]);
        await other.close();
      }),
    );

    it(
      'says nothing of a turn that was refused',
      withRecord(async (record) => {
        await created(record, 'r');
        const turn = { runId: 'r', fence: 1, events: [event('x')], row: rowOf('r') };
        const bus = [{ ...update('RUNNING', 'x@r', 'r'), source: 'run' as const }];
        await expect(record.commit({ ...turn, expectedSeq: 9, bus })).rejects.toBeInstanceOf(StaleWriter);
        expect(await record.messages(0, 10)).toEqual([]);
        await record.commit({ ...turn, expectedSeq: 1, bus });
        expect(await record.messages(0, 10)).toHaveLength(1);
      }),
    );

    it(
      'lets one of several speak who judged the same news',
      inPlace(async (place, record) => {
        await record.publish([update('RUNNING')]);
        const others = await Promise.all([place.open(), place.open(), place.open()]);
        const known = { agentId: 'ann', taskId: 't1', latestId: 1 };
        const heard = await Promise.all(others.map((other) => other.publish([update('FAILED')], known)));
        expect(heard.filter((ids) => ids !== null)).toEqual([[2]]);
        expect(await record.messages(0, 10)).toHaveLength(2);
        expect(await record.publish([update('RUNNING', 'bob')], { ...known, agentId: 'bob' })).toBeNull();
        expect(
          await record.publish([update('RUNNING', 'bob')], { ...known, agentId: 'bob', latestId: 0 }),
        ).toEqual([3]);
        await Promise.all(others.map((other) => other.close()));
      }),
    );

    it(
      'knows which tasks of external agents run, the longest first, and how the agents do',
      withRecord(async (record) => {
        await record.publish([
          update('RUNNING', 'ann', 't1', 30),
          update('RUNNING', 'bob', 't1', 20),
          update('RUNNING', 'bob', 't2', 10),
          update('RUNNING', 'bob', 't2', 40),
          { ...update('RUNNING', 'x@r', 'r', 1), source: 'run' },
        ]);
        const running = async () =>
          (await record.runningTasks(10)).map(({ agentId, taskId, runningSince }) => [
            agentId,
            taskId,
            runningSince,
          ]);
        expect(await running()).toEqual([
          ['bob', 't2', 10],
          ['bob', 't1', 20],
          ['ann', 't1', 30],
        ]);
        expect(await record.runningTasks(1)).toHaveLength(1);
        await record.publish([update('COMPLETED', 'bob', 't2'), update('FAILED', 'bob', 't1')]);
        expect(await running()).toEqual([['ann', 't1', 30]]);
        expect(await record.busTask('bob', 't1')).toMatchObject({ status: 'FAILED', runningSince: null });
        expect(await record.busTask('bob', 'never')).toBeNull();
        expect(await record.busAgents()).toMatchObject([
          { name: 'ann', attempts: 1, succeeded: 0, failed: 0 },
          { name: 'bob', attempts: 2, succeeded: 1, failed: 1 },
        ]);
      }),
    );
  });

  describe(`${name}: the list of runs`, () => {
    it(
      'shows first what needs a person, then what goes on, then what ended, the latest change first',
      withRecord(async (record) => {
        const rows = [
          rowOf('ended_new', { ended: true, updatedAt: 90 }),
          rowOf('going_old', { updatedAt: 10 }),
          rowOf('asks_old', { needsPerson: true, updatedAt: 5 }),
          rowOf('ended_old', { ended: true, updatedAt: 3 }),
          rowOf('going_new', { updatedAt: 50, repository: '/other' }),
          rowOf('asks_new', { needsPerson: true, updatedAt: 7, view: '{"big":1}' }),
        ];
        for (const row of rows) await created(record, row.runId, { row });
        const ids = async (filter?: Parameters<RunRecord['rows']>[0]): Promise<string[]> =>
          (await record.rows(filter)).map(({ runId }) => runId);
        expect(await ids()).toEqual([
          'asks_new',
          'asks_old',
          'going_new',
          'going_old',
          'ended_new',
          'ended_old',
        ]);
        expect(await ids({ ended: false })).toEqual(['asks_new', 'asks_old', 'going_new', 'going_old']);
        expect(await ids({ needsPerson: true, limit: 1 })).toEqual(['asks_new']);
        expect(await ids({ repository: '/other' })).toEqual(['going_new']);
        expect(await ids({ sinceAt: 50 })).toEqual(['going_new', 'ended_new']);
        expect(await record.row('asks_new')).toEqual(rows[5]);
        expect(await record.row('ghost')).toBeNull();
        expect((await record.rows({ limit: 1 }))[0]).toEqual(rows[5]);
        expect((await record.rows({ limit: 1, withoutView: true }))[0]).toEqual({ ...rows[5], view: '' });
      }),
    );
  });

  describe(`${name}: ledger`, () => {
    it(
      'chains the entries of a run and keeps their payload in canonical form',
      withRecord(async (record) => {
        await created(record, 'a', {
          ledger: [{ id: 'l1', kind: 'check', at: 3, payload: '{"b": 1, "a": [2, {"d":1,"c":2}]}' }],
        });
        await record.commit({
          runId: 'a',
          fence: 1,
          expectedSeq: 1,
          events: [event('x')],
          row: rowOf('a'),
          ledger: ['l2', 'l3'].map((id) => ({ id, kind: 'approval', at: 4, payload: '{"same":true}' })),
        });
        await created(record, 'b', { ledger: [{ id: 'l4', kind: 'scope', at: 5, payload: '1' }] });
        const [first, second, third] = await record.ledger('a');
        expect(first).toMatchObject({
          id: 'l1',
          runId: 'a',
          seq: 1,
          kind: 'check',
          at: 3,
          payload: '{"a":[2,{"c":2,"d":1}],"b":1}',
        });
        expect(second?.previousHash).toBe(first?.hash);
        expect(third?.previousHash).toBe(second?.hash);
        // Equal payloads must not be recognisable by their commitments.
        expect(second?.commitment).not.toBe(third?.commitment);
        expect((await record.ledger('b')).map(({ seq }) => seq)).toEqual([1]);
        expect(await record.verify()).toEqual([]);
      }),
    );

    it(
      'erases a payload and the salt that could confirm a guess of it, and stays provable',
      withRecord(async (record) => {
        const ledger = ['l1', 'l2', 'l3'].map((id) => ({
          id,
          kind: 'note',
          at: 1,
          payload: `"secret of ${id}"`,
        }));
        await created(record, 'a', { ledger });
        const before = await record.ledger('a');
        await record.erase('l2');
        expect(await record.ledger('a')).toEqual(
          before.map((entry) => (entry.id === 'l2' ? { ...entry, payload: null, salt: '' } : entry)),
        );
        expect(await record.verify()).toEqual([]);
        await record.commit({
          runId: 'a',
          fence: 1,
          expectedSeq: 1,
          events: [event('x')],
          row: rowOf('a'),
          ledger: [{ id: 'l5', kind: 'note', at: 2, payload: '1' }],
        });
        expect(await record.verify()).toEqual([]);
        await expect(record.erase('ghost')).rejects.toMatchObject({ code: 'LEDGER_UNKNOWN' });
      }),
    );

    it(
      'refuses a ledger id that was used before, in any run',
      withRecord(async (record) => {
        const ledger = [{ id: 'l1', kind: 'note', at: 1, payload: '1' }];
        await created(record, 'a', { ledger });
        await expect(created(record, 'b', { ledger })).rejects.toThrow();
        expect(await record.row('b')).toBeNull();
      }),
    );
  });

  describe(`${name}: several at once`, () => {
    it(
      'lets one of many simultaneous writers win each turn',
      inPlace(async (place, record) => {
        await created(record, 'a');
        const records = await Promise.all(Array.from({ length: 5 }, () => place.open()));
        const outcomes = await Promise.allSettled(
          records.map((each) =>
            each.commit({ runId: 'a', fence: 1, expectedSeq: 1, events: [event('x')], row: rowOf('a') }),
          ),
        );
        await Promise.all(records.map((each) => each.close()));
        expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
        expect(await record.events('a')).toHaveLength(2);
      }),
    );

    it(
      'gives a free lease to one of many who ask for it',
      inPlace(async (place, record) => {
        await created(record, 'a');
        await record.releaseLease('a', 1);
        const records = await Promise.all(Array.from({ length: 5 }, () => place.open()));
        const fences = await Promise.all(
          records.map((each, index) =>
            each.acquireLease({ runId: 'a', owner: String(index), now: 1, ttlMs: 1000 }),
          ),
        );
        await Promise.all(records.map((each) => each.close()));
        expect(fences.filter((fence) => fence !== null)).toEqual([2]);
      }),
    );
  });

  describe(`${name}: lessons, shared evidence, metrics`, () => {
    const lesson = (id: string, change: Partial<StoredLesson> = {}): StoredLesson => ({
      repository: '/repo',
      id,
      hash: `hash-${id}`,
      origin: 'file',
      stamp: '1:1',
      updatedAt: 1,
      title: `title of ${id}`,
      guidance: '',
      words: '',
      document: '{}',
      ...change,
    });
    it(
      'keep one chain for evidence that belongs to no run, and it is verified like any other',
      withRecord(async (record) => {
        await created(record, 'a');
        for (const id of ['l1', 'l2'])
          await record.appendEvidence('@context', [
            { id, kind: 'lesson', at: 1, payload: JSON.stringify({ lesson: id }) },
          ]);
        const chain = await record.ledger('@context');
        expect(chain.map(({ seq, payload }) => [seq, payload])).toEqual([
          [1, '{"lesson":"l1"}'],
          [2, '{"lesson":"l2"}'],
        ]);
        expect(chain[1]?.previousHash).toBe(chain[0]?.hash);
        expect((await record.rows()).map(({ runId }) => runId)).toEqual(['a']);
        expect(await record.unowned(LATER)).not.toContain('@context');
        expect(await record.verify()).toEqual([]);
      }),
    );

    it(
      'find lessons by their text, the title before the rest, also after a change',
      withRecord(async (record) => {
        await record.saveLessons([
          lesson('a', { title: 'Start redis before the tests', guidance: 'docker compose up' }),
          lesson('b', { title: 'Ports', guidance: 'redis listens on 6380 here' }),
          lesson('c', { repository: '/other', title: 'redis there' }),
        ]);
        const find = async (text: string) =>
          (await record.searchLessons({ text, repository: '/repo' })).map(({ id }) => id);
        expect(await find('redis')).toEqual(['a', 'b']);
        expect(await find('"redis" OR NOT (')).toEqual(['a', 'b']);
        expect(await find('* ^')).toEqual([]);
        await record.saveLessons([lesson('a', { title: 'Start the queue' })]);
        expect(await find('redis')).toEqual(['b']);
        await record.removeLessons('/repo', ['b']);
        expect(await find('redis')).toEqual([]);
        expect((await record.lessons()).map(({ id }) => id)).toEqual(['a', 'c']);
        expect((await record.lessons({ repository: '/other' })).map(({ id }) => id)).toEqual(['c']);
        expect(await record.verify()).toEqual([]);
      }),
    );

    it(
      'give the metrics of runs and of imported sessions, oldest first',
      withRecord(async (record) => {
        await created(record, 'b', { row: rowOf('b', { createdAt: 20, metrics: '{"n":1}' }) });
        await created(record, 'a', { row: rowOf('a', { createdAt: 10, metrics: '{"n":2}' }) });
        await record.saveMetrics([
          { id: 'session:x', repository: '/old', at: 5, imported: true, body: '{"n":3}' },
        ]);
        await record.commit({
          runId: 'b',
          fence: 1,
          expectedSeq: 1,
          events: [],
          row: rowOf('b', { createdAt: 20, metrics: '{"n":4}' }),
        });
        expect(await record.metrics()).toEqual(['{"n":3}', '{"n":2}', '{"n":4}']);
        expect(await record.metrics({ sinceAt: 10, repository: '/repo', limit: 1 })).toEqual(['{"n":4}']);
        expect(await record.metrics({ repository: '/old' })).toEqual(['{"n":3}']);
      }),
    );

    describe('what many runs share', () => {
      const hold = (holder: string, until: number | null, at = 1) =>
        ({
          type: 'place',
          hold: { key: 'account:a', kind: 'limit', until, reason: 'limit', holder, at },
        }) as const;

      it(
        'a second run that meets the same cause joins the hold; the later reset counts',
        inPlace(async (_place, record) => {
          await record.changeHold(hold('r1', 100));
          await record.changeHold(hold('r2', 300));
          expect(await record.holds()).toMatchObject([{ holder: 'r1', until: 300, liftedAt: null }]);
        }),
      );

      it(
        'of many that want to try first, one gets it, also from other processes',
        inPlace(async (place) => {
          const records = await Promise.all([place.open(), place.open()]);
          await records[0]?.changeHold(hold('r1', 100));
          const claims = await Promise.all(
            ['r1', 'r2', 'r3', 'r4'].map((runId, index) =>
              (records[index % 2] as RunRecord).changeHold({
                type: 'claim',
                key: 'account:a',
                runId,
                now: 200,
              }),
            ),
          );
          expect(claims.filter((claim) => claim !== null)).toHaveLength(1);
          for (const record of records) await record.close();
        }),
      );

      it(
        'a lifted hold stays to be seen, and the next trouble begins a new one',
        inPlace(async (_place, record) => {
          await record.changeHold(hold('r1', 100));
          expect(await record.changeHold({ type: 'lift', key: 'account:a', now: 150 })).toMatchObject({
            liftedAt: 150,
          });
          expect(await record.changeHold({ type: 'lift', key: 'account:a', now: 160 })).toBeNull();
          await record.changeHold(hold('r2', 500, 400));
          expect(await record.holds()).toMatchObject([{ holder: 'r2', since: 400, liftedAt: null }]);
        }),
      );

      it(
        'sightings come back in order',
        inPlace(async (_place, record) => {
          await record.sight({ runId: 'r1', key: 'restart', at: 5 });
          await record.sight({ runId: 'r2', key: 'restart', at: 6 });
          expect((await record.sightings(5)).map(({ runId }) => runId)).toEqual(['r2']);
        }),
      );
    });
  });
}

async function everything(record: RunRecord, runId: string) {
  return {
    events: await record.events(runId),
    commands: await record.pendingCommands(runId),
    timers: await record.timers(runId),
    mailbox: await record.mailbox(runId),
    ledger: await record.ledger(runId),
    row: await record.row(runId),
    lease: await record.lease(runId),
  };
}
