import { describe, expect, it } from 'vitest';
import { created, event, LATER, rowOf, inPlace, type OpenPlace } from './place.ts';

export function describeLedger(name: string, openPlace: OpenPlace): void {
  const inRecord = inPlace(openPlace);

  describe(`${name}: ledger`, () => {
    it(
      'chains the entries of a run and keeps their payload in canonical form',
      inRecord(async (_place, record) => {
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
      inRecord(async (_place, record) => {
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
      inRecord(async (_place, record) => {
        const ledger = [{ id: 'l1', kind: 'note', at: 1, payload: '1' }];
        await created(record, 'a', { ledger });
        await expect(created(record, 'b', { ledger })).rejects.toThrow();
        expect(await record.row('b')).toBeNull();
      }),
    );

    it(
      'keep one chain for evidence that belongs to no run, and it is verified like any other',
      inRecord(async (place, record) => {
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
        place.now = LATER;
        expect(await record.unowned()).not.toContain('@context');
        expect(await record.verify()).toEqual([]);
      }),
    );
  });
}
