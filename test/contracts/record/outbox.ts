import { describe, expect, it } from 'vitest';
import { created, event, LATER, rowOf, inPlace, type OpenPlace } from './place.ts';

export function describeOutbox(name: string, openPlace: OpenPlace): void {
  const inRecord = inPlace(openPlace);

  describe(`${name}: commands and timers`, () => {
    it(
      'keeps commands in the order asked until their outcome is committed',
      inRecord(async (_place, record) => {
        const commands = ['c', 'a', 'b'].map((key) => ({ key, type: 'do', body: `{"key":"${key}"}` }));
        await created(record, 'r', { events: [event('x', '{}', 42)], commands });
        const pending = await record.pendingCommands('r');
        expect(pending).toEqual(
          commands.map((command, index) => ({
            ...command,
            runId: 'r',
            seq: 1,
            index,
            createdAt: 42,
            begunAt: null,
          })),
        );
        await record.commit({
          runId: 'r',
          fence: 1,
          expectedSeq: 1,
          events: [event('done')],
          settled: ['a'],
          row: rowOf('r'),
        });
        expect((await record.pendingCommands('r')).map(({ key }) => key)).toEqual(['c', 'b']);
        expect((await record.pendingCommands('r', 1)).map(({ key }) => key)).toEqual(['c']);
      }),
    );

    it(
      'remembers that a command was begun, and never begins one that is settled or unknown',
      inRecord(async (place, record) => {
        await created(record, 'r', { commands: [{ key: 'k', type: 'do', body: '{}' }] });
        place.now = 5;
        expect(await record.beginCommand({ runId: 'r', key: 'k', fence: 1 })).toBe(true);
        expect((await record.pendingCommands('r'))[0]?.begunAt).toBe(5);
        await record.commit({
          runId: 'r',
          fence: 1,
          expectedSeq: 1,
          events: [event('done')],
          settled: ['k'],
          row: rowOf('r'),
        });
        expect(await record.beginCommand({ runId: 'r', key: 'k', fence: 1 })).toBe(false);
        expect(await record.beginCommand({ runId: 'r', key: 'other', fence: 1 })).toBe(false);
        expect(await record.beginCommand({ runId: 'ghost', key: 'k', fence: 1 })).toBe(false);
      }),
    );

    it(
      'does not ask twice for a command with the same key, not even after it was settled',
      inRecord(async (_place, record) => {
        const commands = [{ key: 'k', type: 'do', body: '{}' }];
        await created(record, 'r', { commands });
        const turn = { runId: 'r', fence: 1, events: [event('x')], row: rowOf('r') };
        await record.commit({ ...turn, expectedSeq: 1, commands });
        expect(await record.pendingCommands('r')).toHaveLength(1);
        await record.commit({ ...turn, expectedSeq: 2, settled: ['k'] });
        await record.commit({ ...turn, expectedSeq: 3, commands });
        expect(await record.pendingCommands('r')).toEqual([]);
      }),
    );

    it(
      'keeps equal keys of two runs apart',
      inRecord(async (_place, record) => {
        for (const runId of ['r', 's'])
          await created(record, runId, { commands: [{ key: 'k', type: 'do', body: runId }] });
        await record.commit({
          runId: 'r',
          fence: 1,
          expectedSeq: 1,
          events: [event('x')],
          settled: ['k'],
          row: rowOf('r'),
        });
        expect(await record.pendingCommands('r')).toEqual([]);
        expect(await record.pendingCommands('s')).toMatchObject([{ runId: 's', body: 's' }]);
      }),
    );

    it(
      'sets, moves and cancels timers with the turn',
      inRecord(async (_place, record) => {
        await created(record, 'a', {
          timers: {
            set: [
              { name: 'x', dueAt: 9 },
              { name: 'y', dueAt: 8 },
            ],
            cancel: [],
          },
        });
        const turn = { runId: 'a', fence: 1, events: [event('x')], row: rowOf('a') };
        await record.commit({
          ...turn,
          expectedSeq: 1,
          timers: { set: [{ name: 'x', dueAt: 4 }], cancel: ['y', 'none'] },
        });
        expect(await record.timers('a')).toEqual([{ runId: 'a', name: 'x', dueAt: 4 }]);
        await record.commit({
          ...turn,
          expectedSeq: 2,
          timers: { set: [{ name: 'x', dueAt: 2 ** 45 }], cancel: ['x'] },
        });
        expect(await record.timers('a')).toEqual([{ runId: 'a', name: 'x', dueAt: 2 ** 45 }]);
      }),
    );

    it(
      'names the runs that wait for somebody while nobody owns them',
      inRecord(async (place, record) => {
        const now = LATER;
        const release = (runId: string): Promise<void> => record.releaseLease(runId, 1);
        await created(record, 'dead_owner');
        await created(record, 'owned');
        await record.renewLease({ runId: 'owned', fence: 1, ttlMs: LATER + 1 });
        await record.post('owned', '1');
        await created(record, 'quiet');
        await release('quiet');
        await created(record, 'command', { commands: [{ key: 'k', type: 'do', body: '' }] });
        await release('command');
        await created(record, 'due', { timers: { set: [{ name: 't', dueAt: now }], cancel: [] } });
        await release('due');
        await created(record, 'not_due', { timers: { set: [{ name: 't', dueAt: now + 1 }], cancel: [] } });
        await release('not_due');
        await created(record, 'mail');
        await release('mail');
        await record.post('mail', '1');
        await created(record, 'ended', { row: rowOf('ended', { ended: true }) });
        place.now = now;
        expect(await record.unowned()).toEqual(['dead_owner', 'command', 'due', 'mail']);
      }),
    );
  });
}
