import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readAllMetrics, writeRunMetrics } from '../../src/core/view/metrics-code.ts';
import type { RunRecord } from '../../src/record/contract.ts';
import { fleetFigures } from '../../src/supervise/fleet-figures.ts';
import { allMetrics } from '../../src/supervise/all-metrics.ts';
import { created, rowOf } from '../contracts/record/place.ts';
import { newFolder, withRecord } from '../record/sqlite/places.ts';
import { runMetrics } from '../report/metrics-under-test.ts';

/** The row of a run that spent so many tokens. */
function spent(id: string, createdAt: number, tokens: number, state = 'working') {
  const metrics = writeRunMetrics(runMetrics({ id, created: createdAt, tokens }));
  return rowOf(id, { createdAt, state, metrics });
}

test('of a record that was read before, only the runs that changed since are read again', async () => {
  await withRecord(join(await newFolder(), 'record.db'), async (record) => {
    const asked: unknown[] = [];
    const watched: RunRecord = {
      ...record,
      metrics: (filter) => {
        asked.push(filter ?? 'all');
        return record.metrics(filter);
      },
    };
    const told = async () => {
      const { runs } = await allMetrics(watched);
      expect(runs).toEqual(readAllMetrics(await record.metrics()).runs);
      return asked.splice(0);
    };
    await created(record, 'b', { row: spent('b', 20, 1) });
    await created(record, 'c', { row: spent('c', 30, 2) });
    expect(await told()).toEqual(['all']);
    expect(await told()).toEqual([]);
    await record.commit({ runId: 'b', fence: 1, expectedSeq: 1, events: [], row: spent('b', 20, 5) });
    // A run may begin before others whose first turn came sooner.
    await created(record, 'a', { row: spent('a', 10, 7) });
    expect(await told()).toEqual([{ ids: ['b', 'a'] }]);
    await record.commit({
      runId: 'c',
      fence: 1,
      expectedSeq: 1,
      events: [],
      row: spent('c', 30, 9, 'waiting'),
    });
    const figures = await fleetFigures(watched, 40);
    expect(figures).toMatchObject({ tokens: 21, since: 10 });
    expect([...figures.runs]).toEqual([
      ['waiting', 1],
      ['working', 2],
    ]);
    expect(asked.splice(0)).toEqual([{ ids: ['c'] }]);
  });
});

test('a record that does not answer is read anew the next time', async () => {
  await withRecord(join(await newFolder(), 'record.db'), async (record) => {
    let fails = true;
    const failing: RunRecord = {
      ...record,
      metrics: (filter) => (fails ? Promise.reject(new Error('no answer')) : record.metrics(filter)),
    };
    await created(record, 'a', { row: spent('a', 10, 1) });
    await expect(allMetrics(failing)).rejects.toThrow('no answer');
    fails = false;
    expect((await allMetrics(failing)).runs).toHaveLength(1);
  });
});
