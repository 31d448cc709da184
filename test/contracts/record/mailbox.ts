import { describe, expect, it } from 'vitest';
import { StaleWriter } from '../../../src/record/contract/record-unavailable.ts';
import { created, event, rowOf, inPlace, type OpenPlace } from './place.ts';

export function describeMailbox(name: string, openPlace: OpenPlace): void {
  const inRecord = inPlace(openPlace);

  describe(`${name}: mailbox`, () => {
    it(
      'keeps mail in order until a turn takes it, and lets it be taken once',
      inRecord(async (place, record) => {
        await created(record, 'a');
        await created(record, 'b');
        const other = await place.open();
        place.now = 5;
        await other.post('a', '{"ask":"stop"}');
        await other.post('b', '"other"');
        place.now = 7;
        await other.post('a', '"second"');
        await other.close();
        const mail = await record.mailbox('a');
        expect(mail.map(({ runId, at, body }) => [runId, at, body])).toEqual([
          ['a', 5, '{"ask":"stop"}'],
          ['a', 7, '"second"'],
        ]);
        const ids = mail.map(({ id }) => id);
        const turn = { runId: 'a', fence: 1, events: [event('x')], row: rowOf('a') };
        await record.commit({ ...turn, expectedSeq: 1, acknowledged: ids });
        expect(await record.mailbox('a')).toEqual([]);
        await expect(
          record.commit({ ...turn, expectedSeq: 2, acknowledged: ids.slice(0, 1) }),
        ).rejects.toBeInstanceOf(StaleWriter);
        await record.post('a', '"third"');
        expect((await record.mailbox('a'))[0]?.id).toBeGreaterThan(Math.max(...ids));
        expect(await record.mailbox('b')).toHaveLength(1);
        await expect(record.post('ghost', '1')).rejects.toMatchObject({ code: 'RUN_UNKNOWN' });
      }),
    );
  });
}
