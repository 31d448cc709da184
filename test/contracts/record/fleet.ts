import { describe, expect, it } from 'vitest';
import type { RunRecord } from '../../../src/record/contract.ts';
import { inPlace, type OpenPlace } from './place.ts';

export function describeFleet(name: string, openPlace: OpenPlace): void {
  const inRecord = inPlace(openPlace);

  describe(`${name}: what many runs share`, () => {
    const hold = (holder: string, until: number | null, at = 1) =>
      ({
        type: 'place',
        hold: { key: 'account:a', kind: 'limit', until, reason: 'limit', holder, at },
      }) as const;

    it(
      'a second run that meets the same cause joins the hold; the later reset counts',
      inRecord(async (_place, record) => {
        await record.changeHold(hold('r1', 100));
        await record.changeHold(hold('r2', 300));
        expect(await record.holds()).toMatchObject([{ holder: 'r1', until: 300, liftedAt: null }]);
      }),
    );

    it(
      'of many that want to try first, one gets it, also from other processes',
      inRecord(async (place) => {
        const records = await Promise.all([place.open(), place.open()]);
        await records[0]?.changeHold(hold('r1', 100));
        const asked = { type: 'claim', key: 'account:a', now: 9_999 } as const;
        place.now = 99;
        // An asker whose clock is ahead does not make the hold due.
        expect(await records[0]?.changeHold({ ...asked, runId: 'r1' })).toBeNull();
        place.now = 200;
        const claims = await Promise.all(
          ['r1', 'r2', 'r3', 'r4'].map((runId, index) =>
            (records[index % 2] as RunRecord).changeHold({ ...asked, runId }),
          ),
        );
        expect(claims.filter((claim) => claim !== null)).toHaveLength(1);
        for (const record of records) await record.close();
      }),
    );

    it(
      'a lifted hold stays to be seen, and the next trouble begins a new one',
      inRecord(async (place, record) => {
        await record.changeHold(hold('r1', 100));
        place.now = 150;
        expect(await record.changeHold({ type: 'lift', key: 'account:a', now: 1 })).toMatchObject({
          liftedAt: 150,
        });
        expect(await record.changeHold({ type: 'lift', key: 'account:a', now: 160 })).toBeNull();
        await record.changeHold(hold('r2', 500, 400));
        expect(await record.holds()).toMatchObject([{ holder: 'r2', since: 400, liftedAt: null }]);
      }),
    );

    it(
      'sightings get the time of the store and come back in order',
      inRecord(async (place, record) => {
        for (const [index, runId] of ['r1', 'r2', 'r3'].entries()) {
          place.now = 5 + index;
          await record.sight({ runId, key: 'restart' });
        }
        expect((await record.sightings(2)).map(({ runId, at }) => [runId, at])).toEqual([
          ['r2', 6],
          ['r3', 7],
        ]);
      }),
    );
  });
}
