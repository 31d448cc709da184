import { describe, expect, it } from 'vitest';
import { StaleWriter } from '../../../src/record/contract/record-unavailable.ts';
import { created, event, LATER, rowOf, inPlace, type OpenPlace } from './place.ts';

export function describeLease(name: string, openPlace: OpenPlace): void {
  const inRecord = inPlace(openPlace);

  describe(`${name}: leases and fences`, () => {
    it(
      'gives a new run to its creator under fence 1',
      inRecord(async (_place, record) => {
        await created(record, 'a');
        expect(await record.lease('a')).toEqual({
          runId: 'a',
          owner: 'first',
          fence: 1,
          expiresAt: LATER,
          expired: false,
          isHere: true,
        });
        expect(await record.lease('ghost')).toBeNull();
      }),
    );

    it(
      'gives a lease away only when it is free, expired by the clock of the store, or its owner was seen dead',
      inRecord(async (place, record) => {
        await created(record, 'a');
        place.now = LATER - 1;
        const ask = { runId: 'a', owner: 'second', ttlMs: 1000 };
        expect(await record.acquireLease(ask)).toBeNull();
        expect(await record.acquireLease({ ...ask, observedDeadFence: 2 })).toBeNull();
        expect(await record.acquireLease({ ...ask, observedDeadFence: 1 })).toBe(2);
        // The death of the first owner says nothing about the second.
        expect(await record.acquireLease({ ...ask, observedDeadFence: 1 })).toBeNull();
        place.now = LATER + 998;
        expect(await record.lease('a')).toMatchObject({ expired: false });
        expect(await record.acquireLease(ask)).toBeNull();
        place.now = LATER + 999;
        expect(await record.lease('a')).toMatchObject({ expired: true });
        expect(await record.acquireLease({ ...ask, owner: 'third' })).toBe(3);
        expect(await record.lease('a')).toMatchObject({ owner: 'third', fence: 3, expiresAt: LATER + 1999 });
        await record.releaseLease('a', 3);
        expect(await record.lease('a')).toBeNull();
        place.now = 0;
        expect(await record.acquireLease(ask)).toBe(4);
        expect(await record.acquireLease({ ...ask, runId: 'ghost' })).toBeNull();
      }),
    );

    it(
      'makes an owner harmless whose lease was taken or released',
      inRecord(async (place, record) => {
        await created(record, 'a', { commands: [{ key: 'k', type: 'start', body: '{}' }] });
        place.now = LATER;
        const fence = await record.acquireLease({ runId: 'a', owner: 'second', ttlMs: 1000 });
        const turn = { runId: 'a', expectedSeq: 1, events: [event('x')], row: rowOf('a') };
        await expect(record.commit({ ...turn, fence: 1 })).rejects.toBeInstanceOf(StaleWriter);
        expect(await record.renewLease({ runId: 'a', fence: 1, ttlMs: 99_000 })).toBe(false);
        expect(await record.beginCommand({ runId: 'a', key: 'k', fence: 1 })).toBe(false);
        await record.releaseLease('a', 1);
        expect(await record.lease('a')).toMatchObject({ owner: 'second', fence, expiresAt: LATER + 1000 });
        expect((await record.pendingCommands('a'))[0]?.begunAt).toBeNull();

        await record.releaseLease('a', 2);
        await expect(record.commit({ ...turn, fence: 2 })).rejects.toBeInstanceOf(StaleWriter);
        expect(await record.renewLease({ runId: 'a', fence: 2, ttlMs: 1000 })).toBe(false);
        expect(await record.events('a')).toHaveLength(1);
      }),
    );

    it(
      'lets an owner renew, also late, as long as nobody took over',
      inRecord(async (place, record) => {
        await created(record, 'a');
        place.now = LATER * 2;
        expect(await record.renewLease({ runId: 'a', fence: 1, ttlMs: 500 })).toBe(true);
        expect(await record.lease('a')).toMatchObject({ fence: 1, expiresAt: LATER * 2 + 500 });
        expect(await record.renewLease({ runId: 'ghost', fence: 1, ttlMs: 500 })).toBe(false);
      }),
    );

    it(
      'gives a free lease to one of many who ask for it',
      inRecord(async (place, record) => {
        await created(record, 'a');
        await record.releaseLease('a', 1);
        const records = await Promise.all(Array.from({ length: 5 }, () => place.open()));
        const fences = await Promise.all(
          records.map((each, index) => each.acquireLease({ runId: 'a', owner: String(index), ttlMs: 1000 })),
        );
        await Promise.all(records.map((each) => each.close()));
        expect(fences.filter((fence) => fence !== null)).toEqual([2]);
      }),
    );
  });
}
