import { describe, expect, it } from 'vitest';
import type { RunLook } from '../../../src/record/contract/outbox.ts';
import type { RunRecord } from '../../../src/record/contract.ts';
import { created, event, inPlace, type OpenPlace, rowOf } from './place.ts';

/** The same by the questions about one thing. */
async function lookedUp(record: RunRecord, runId: string): Promise<RunLook> {
  const [command = null] = await record.pendingCommands(runId, 1);
  return { mail: await record.mailbox(runId), timers: await record.timers(runId), command };
}

export function describeLooks(name: string, openPlace: OpenPlace): void {
  const inRecord = inPlace(openPlace);

  describe(`${name}: looks of keepers`, () => {
    it(
      'tell each of many runs its own mail, timers and oldest open command, to the letter',
      inRecord(async (place, record) => {
        const strange = '{"text":"\\u0000 \u0001 \u00010 \u2028 ü 🚑"}';
        const set = [
          { name: 'late', dueAt: 2 ** 45 },
          { name: 'soon \u0001', dueAt: 4 },
        ];
        const commands = ['z', 'a', 'b'].map((key) => ({ key, type: `do ${key}`, body: strange }));
        await created(record, 'a', { timers: { set, cancel: [] }, commands });
        await created(record, 'b', { commands: [{ key: 'z', type: 'do', body: '{}' }] });
        await created(record, 'quiet');
        await record.post('b', strange);
        await record.post('a', '1');
        await record.post('b', 'two \u0000');
        place.now = 7;
        await record.beginCommand({ runId: 'a', key: 'z', fence: 1 });
        const runIds = ['b', 'quiet', 'a', 'ghost', 'a'];
        const looks = await Promise.all(runIds.map((runId) => record.look(runId)));
        expect(looks).toEqual(await Promise.all(runIds.map((runId) => lookedUp(record, runId))));
        expect(looks[2]).toMatchObject({ mail: [{ body: '1' }], command: { key: 'z', begunAt: 7 } });
        expect(looks[3]).toEqual({ mail: [], timers: [], command: null });
      }),
    );

    it(
      'are never older than the question, even while another look is under way',
      inRecord(async (_place, record) => {
        await created(record, 'a');
        for (let turn = 1; turn <= 20; turn += 1) {
          await record.post('a', String(turn));
          const others = [record.look('a'), record.look('b')];
          const { mail } = await record.look('a');
          const acknowledged = mail.map(({ id }) => id);
          const underWay = record.look('b');
          await record.commit({
            runId: 'a',
            fence: 1,
            expectedSeq: turn,
            events: [event('x')],
            acknowledged,
            row: rowOf('a'),
          });
          // An older answer would show mail that was taken, and a keeper that takes mail twice is stale.
          expect((await record.look('a')).mail).toEqual([]);
          await Promise.all([...others, underWay]);
        }
      }),
    );
  });
}
