import { describe, expect, it } from 'vitest';
import { created, rowOf, inPlace, type OpenPlace } from './place.ts';

export function describeMetrics(name: string, openPlace: OpenPlace): void {
  const inRecord = inPlace(openPlace);

  describe(`${name}: metrics`, () => {
    it(
      'give the metrics of runs and of imported sessions, oldest first',
      inRecord(async (_place, record) => {
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
        expect(await record.metrics({ ids: ['b', 'session:x', 'none'] })).toEqual(['{"n":3}', '{"n":4}']);
        expect(await record.metrics({ ids: [] })).toEqual([]);
      }),
    );

    it(
      'are those of the latest turn, also where a writer says again what another has changed since',
      inRecord(async (place, first) => {
        const second = await place.open();
        try {
          const turn = (fence: number, metrics: string) => ({
            runId: 'a',
            fence,
            expectedSeq: 1,
            events: [],
            row: rowOf('a', { metrics }),
          });
          await created(first, 'a', { row: rowOf('a', { metrics: '{"n":1}' }) });
          await first.commit(turn(1, '{"n":2}'));
          await first.commit(turn(1, '{"n":2}'));
          expect(await first.metrics()).toEqual(['{"n":2}']);
          const taken = { runId: 'a', owner: 'x', ttlMs: 1000 };
          expect(await second.acquireLease({ ...taken, observedDeadFence: 1 })).toBe(2);
          await second.commit(turn(2, '{"n":3}'));
          expect(await first.acquireLease({ ...taken, observedDeadFence: 2 })).toBe(3);
          await first.commit(turn(3, '{"n":2}'));
          expect(await second.metrics()).toEqual(['{"n":2}']);
        } finally {
          await second.close();
        }
      }),
    );
  });
}
