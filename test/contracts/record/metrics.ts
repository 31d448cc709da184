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
      }),
    );
  });
}
