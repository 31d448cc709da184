import { describe, expect, it } from 'vitest';
import type { RunRecord } from '../../../src/record/contract.ts';
import { created, event, rowOf, inPlace, type OpenPlace } from './place.ts';

export function describeRows(name: string, openPlace: OpenPlace): void {
  const inRecord = inPlace(openPlace);

  describe(`${name}: the list of runs`, () => {
    it(
      'shows first what needs a person, then what goes on, then what ended, the latest change first',
      inRecord(async (_place, record) => {
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
        expect(await ids({ limit: 2, offset: 3 })).toEqual(['going_old', 'ended_new']);
        expect(await ids({ repository: '/other' })).toEqual(['going_new']);
        expect(await ids({ sinceAt: 50 })).toEqual(['going_new', 'ended_new']);
        expect(await record.row('asks_new')).toEqual(rows[5]);
        expect(await record.row('ghost')).toBeNull();
        expect((await record.rows({ limit: 1 }))[0]).toEqual(rows[5]);
        expect((await record.rows({ limit: 1, withoutView: true }))[0]).toEqual({ ...rows[5], view: '' });
      }),
    );

    it(
      'names the runs that changed after a change, each once, in the order of their commits, page by page',
      inRecord(async (place, record) => {
        for (const runId of ['a', 'b', 'c']) await created(record, runId);
        const first = await record.changes(0, 10);
        expect(first.map(({ runId }) => runId)).toEqual(['a', 'b', 'c']);
        const seen = first.at(-1)?.change ?? 0;
        expect(await record.changes(seen, 10)).toEqual([]);
        const other = await place.open();
        for (const [expectedSeq, runId] of [
          [1, 'b'],
          [1, 'a'],
          [2, 'b'],
        ] as const)
          await other.commit({ runId, fence: 1, expectedSeq, events: [event('x')], row: rowOf(runId) });
        await other.close();
        expect((await record.changes(seen, 10)).map(({ runId }) => runId)).toEqual(['a', 'b']);
        const [page] = await record.changes(seen, 1);
        expect((await record.changes(page?.change ?? 0, 1)).map(({ runId }) => runId)).toEqual(['b']);
        const stale = { runId: 'c', fence: 9, expectedSeq: 1, events: [event('x')], row: rowOf('c') };
        const last = await record.changes(seen, 10);
        await expect(record.commit(stale)).rejects.toThrow();
        expect(await record.changes(seen, 10)).toEqual(last);
        expect(await record.lastChange()).toBe(last.at(-1)?.change);
      }),
    );

    it(
      'counts the runs that began since a moment, with their cost',
      inRecord(async (_place, record) => {
        expect(await record.lastChange()).toBe(0);
        expect(await record.begunSince(0)).toEqual({ runs: 0, costUsd: 0 });
        const rows = [
          rowOf('before', { createdAt: 10, updatedAt: 90, costUsd: 8 }),
          rowOf('asks', { createdAt: 50, updatedAt: 60, costUsd: 0.5, needsPerson: true }),
          rowOf('ended', { createdAt: 70, updatedAt: 80, costUsd: 0.25, ended: true }),
        ];
        for (const row of rows) await created(record, row.runId, { row });
        expect(await record.begunSince(50)).toEqual({ runs: 2, costUsd: 0.75 });
        expect(await record.begunSince(91)).toEqual({ runs: 0, costUsd: 0 });
      }),
    );
  });
}
