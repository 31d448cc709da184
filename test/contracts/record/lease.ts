import { describe, expect, it } from 'vitest';
import { StaleWriter } from '../../../src/record/contract/stale-writer.ts';
import { created, event, LATER, rowOf, inPlace, type OpenPlace } from './place.ts';

export function describeLease(name: string, openPlace: OpenPlace): void {
  const inRecord = inPlace(openPlace);

  describe(`${name}: leases and fences`, () => {
    it(
      'gives a new run to its creator under fence 1',
      inRecord(async (_place, record) => {
        await created(record, 'a');
        expect(await record.lease('a')).toEqual({ runId: 'a', owner: 'first', fence: 1, expiresAt: LATER });
        expect(await record.lease('ghost')).toBeNull();
      }),
    );

    it(
      'gives a lease away only when it is free, expired, or its owner was seen dead',
      inRecord(async (_place, record) => {
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
      inRecord(async (_place, record) => {
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
      inRecord(async (_place, record) => {
        await created(record, 'a');
        expect(await record.renewLease({ runId: 'a', fence: 1, now: LATER * 2, ttlMs: 500 })).toBe(true);
        expect(await record.lease('a')).toMatchObject({ fence: 1, expiresAt: LATER * 2 + 500 });
        expect(await record.renewLease({ runId: 'ghost', fence: 1, now: 0, ttlMs: 500 })).toBe(false);
      }),
    );

    it(
      'gives a free lease to one of many who ask for it',
      inRecord(async (place, record) => {
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
}
