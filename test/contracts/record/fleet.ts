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
        const claims = await Promise.all(
          ['r1', 'r2', 'r3', 'r4'].map((runId, index) =>
            (records[index % 2] as RunRecord).changeHold({
              type: 'claim',
              key: 'account:a',
              runId,
              now: 200,
            }),
          ),
        );
        expect(claims.filter((claim) => claim !== null)).toHaveLength(1);
        for (const record of records) await record.close();
      }),
    );

    it(
      'a lifted hold stays to be seen, and the next trouble begins a new one',
      inRecord(async (_place, record) => {
        await record.changeHold(hold('r1', 100));
        expect(await record.changeHold({ type: 'lift', key: 'account:a', now: 150 })).toMatchObject({
          liftedAt: 150,
        });
        expect(await record.changeHold({ type: 'lift', key: 'account:a', now: 160 })).toBeNull();
        await record.changeHold(hold('r2', 500, 400));
        expect(await record.holds()).toMatchObject([{ holder: 'r2', since: 400, liftedAt: null }]);
      }),
    );

    it(
      'sightings come back in order',
      inRecord(async (_place, record) => {
        await record.sight({ runId: 'r1', key: 'restart', at: 5 });
        await record.sight({ runId: 'r2', key: 'restart', at: 6 });
        expect((await record.sightings(5)).map(({ runId }) => runId)).toEqual(['r2']);
      }),
    );
  });
}
