import { describe, expect, it } from 'vitest';
import type { RunRecord } from '../../../src/record/contract.ts';
import { created, rowOf, inPlace, type OpenPlace } from './place.ts';

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
        expect(await ids({ repository: '/other' })).toEqual(['going_new']);
        expect(await ids({ sinceAt: 50 })).toEqual(['going_new', 'ended_new']);
        expect(await record.row('asks_new')).toEqual(rows[5]);
        expect(await record.row('ghost')).toBeNull();
        expect((await record.rows({ limit: 1 }))[0]).toEqual(rows[5]);
        expect((await record.rows({ limit: 1, withoutView: true }))[0]).toEqual({ ...rows[5], view: '' });
      }),
    );
  });
}
