import { describe, expect, it } from 'vitest';
import type { RunRecord } from '../../../src/record/contract.ts';
import { StaleWriter } from '../../../src/record/contract/record-unavailable.ts';
import type { StoredTurn } from '../../../src/record/contract/journal.ts';
import { created, event, rowOf, inPlace, type OpenPlace } from './place.ts';

export function describeJournal(name: string, openPlace: OpenPlace): void {
  const inRecord = inPlace(openPlace);

  describe(`${name}: turns`, () => {
    it(
      'gives events numbers from 1 without gaps and keeps them in order',
      inRecord(async (_place, record) => {
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
        expect((await record.events('a', 1, 1)).map(({ seq }) => seq)).toEqual([2]);
        expect(await record.events('b')).toEqual([]);
      }),
    );

    it(
      'keeps events of unknown type and version byte for byte',
      inRecord(async (place, record) => {
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
      'keeps a NUL in every body byte for byte',
      inRecord(async (place, record) => {
        const body = '{"raw":"a\u0000b"}';
        const text = 'a\u0000b';
        await created(record, 'a', {
          events: [event('x', body)],
          commands: [{ key: 'k', type: 'do', body }],
          ledger: [{ id: 'l', kind: 'note', at: 1, payload: JSON.stringify(text) }],
          row: rowOf('a', { title: text, view: body, metrics: body }),
        });
        await record.post('a', body);
        const other = await place.open();
        expect((await other.events('a'))[0]?.body).toBe(body);
        expect((await other.pendingCommands('a'))[0]?.body).toBe(body);
        expect((await other.mailbox('a'))[0]?.body).toBe(body);
        expect((await other.ledger('a'))[0]?.payload).toBe(JSON.stringify(text));
        expect(await other.row('a')).toMatchObject({ title: text, view: body });
        expect(await other.metrics()).toEqual([body]);
        expect(await other.verify()).toEqual([]);
        await other.close();
      }),
    );

    it(
      'refuses a body that would come back changed, and a body beyond the limit, whole',
      inRecord(async (_place, record) => {
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
      inRecord(async (_place, record) => {
        await created(record, 'Café');
        for (const id of ['Café', 'café', 'Cafe\u0301'])
          await expect(created(record, id), id).rejects.toMatchObject({ code: 'RUN_EXISTS' });
        expect(await record.events('Café')).toHaveLength(1);
        expect(await record.rows()).toHaveLength(1);
      }),
    );

    it(
      'refuses a writer that has not seen the last event',
      inRecord(async (_place, record) => {
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
      inRecord(async (_place, record) => {
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
      inRecord(async (_place, record) => {
        await created(record, 'a', { commands: [{ key: 'k', type: 'start', body: '{}' }] });
        await record.post('a', '"mail"');
        const [mail] = await record.mailbox('a');
        const before = await everything(record, 'a');
        const turn: StoredTurn = {
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
        const broken: readonly Partial<StoredTurn>[] = [
          { settled: ['k', 'never_asked'] },
          { acknowledged: [mail?.id as number, 999] },
          { ledger: [...(turn.ledger ?? []), { id: 'l2', kind: 'check', at: 1, payload: 'no json' }] },
          { ledger: [...(turn.ledger ?? []), ...(turn.ledger ?? [])] },
          { commands: [...(turn.commands ?? []), { key: 'k', type: 'start', body: '{"other":1}' }] },
          { row: rowOf('a', { costUsd: Number.NaN }) },
          { row: rowOf('a', { costUsd: Number.POSITIVE_INFINITY }) },
          { events: [event('x', '{}', Number.NaN)] },
          { timers: { set: [{ name: 't', dueAt: Number.NaN }], cancel: [] } },
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

    it(
      'lets one of many simultaneous writers win each turn',
      inRecord(async (place, record) => {
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
