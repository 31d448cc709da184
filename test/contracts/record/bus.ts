import { describe, expect, it } from 'vitest';
import { StaleWriter } from '../../../src/record/contract/record-unavailable.ts';
import type { NewBusMessage } from '../../../src/record/contract/bus.ts';
import { created, event, rowOf, inPlace, type OpenPlace } from './place.ts';

export function describeBus(name: string, openPlace: OpenPlace): void {
  const inRecord = inPlace(openPlace);

  describe(`${name}: the bus`, () => {
    const update = (status: string, agent = 'ann', task = 't1', at = 1): NewBusMessage => ({
      at,
      source: 'external',
      body: JSON.stringify({ type: 'TASK_UPDATE', task_id: task, agent_id: agent, status, error: null }),
    });

    it(
      'numbers messages in the order in which readers see them, keeps them byte for byte, and gives them in pages',
      inRecord(async (place, record) => {
        const odd = '{ "type" : "CRITICAL", "agent_id":"a", "task_id":"t", "reason":"\\u0000 é 🛟" }';
        expect(await record.lastMessage()).toBe(0);
        const ids = await record.publish([update('RUNNING'), { at: 5, source: 'external', body: odd }]);
        await created(record, 'r', { bus: [{ ...update('PENDING', 'x@r', 'r'), source: 'run' }] });
        const other = await place.open();
        const later = await other.publish([update('COMPLETED')]);
        const all = await other.messages(0, 10);
        expect(all.map(({ source }) => source)).toEqual(['external', 'external', 'run', 'external']);
        const [first = 0, second = 0, third = 0, fourth = 0] = all.map(({ id }) => id);
        expect([[first, second], [fourth]]).toEqual([ids, later]);
        expect(0 < first && first < second && second < third && third < fourth).toBe(true);
        expect(await other.messages(first, 1)).toEqual([
          { id: second, at: 5, source: 'external', body: odd },
        ]);
        expect(await other.messages(fourth, 10)).toEqual([]);
        expect(await other.lastMessage()).toBe(fourth);
        expect(await other.verify()).toEqual([]);
        await other.close();
      }),
    );

    it(
      'says nothing of a turn that was refused',
      inRecord(async (_place, record) => {
        await created(record, 'r');
        const turn = { runId: 'r', fence: 1, events: [event('x')], row: rowOf('r') };
        const bus = [{ ...update('RUNNING', 'x@r', 'r'), source: 'run' as const }];
        await expect(record.commit({ ...turn, expectedSeq: 9, bus })).rejects.toBeInstanceOf(StaleWriter);
        expect(await record.messages(0, 10)).toEqual([]);
        await record.commit({ ...turn, expectedSeq: 1, bus });
        expect(await record.messages(0, 10)).toHaveLength(1);
      }),
    );

    it(
      'lets one of several speak who judged the same news',
      inRecord(async (place, record) => {
        const [latestId = 0] = (await record.publish([update('RUNNING')])) ?? [];
        const others = await Promise.all([place.open(), place.open(), place.open()]);
        const known = { agentId: 'ann', taskId: 't1', latestId };
        const heard = await Promise.all(others.map((other) => other.publish([update('FAILED')], known)));
        expect(heard.filter((ids) => ids !== null)).toHaveLength(1);
        expect(await record.messages(0, 10)).toHaveLength(2);
        expect(await record.publish([update('RUNNING', 'bob')], { ...known, agentId: 'bob' })).toBeNull();
        expect(
          await record.publish([update('RUNNING', 'bob')], { ...known, agentId: 'bob', latestId: 0 }),
        ).toHaveLength(1);
        await Promise.all(others.map((other) => other.close()));
      }),
    );

    it(
      'knows which tasks of external agents run, the longest first, and how the agents do',
      inRecord(async (_place, record) => {
        await record.publish([
          update('RUNNING', 'ann', 't1', 30),
          update('RUNNING', 'bob', 't1', 20),
          update('RUNNING', 'bob', 't2', 10),
          update('RUNNING', 'bob', 't2', 40),
          { ...update('RUNNING', 'x@r', 'r', 1), source: 'run' },
        ]);
        const running = async () =>
          (await record.runningTasks(10)).map(({ agentId, taskId, runningSince }) => [
            agentId,
            taskId,
            runningSince,
          ]);
        expect(await running()).toEqual([
          ['bob', 't2', 10],
          ['bob', 't1', 20],
          ['ann', 't1', 30],
        ]);
        expect(await record.runningTasks(1)).toHaveLength(1);
        await record.publish([update('COMPLETED', 'bob', 't2'), update('FAILED', 'bob', 't1')]);
        expect(await running()).toEqual([['ann', 't1', 30]]);
        expect(await record.busTask('bob', 't1')).toMatchObject({ status: 'FAILED', runningSince: null });
        expect(await record.busTask('bob', 'never')).toBeNull();
        expect(await record.busAgents()).toMatchObject([
          { name: 'ann', attempts: 1, succeeded: 0, failed: 0 },
          { name: 'bob', attempts: 2, succeeded: 1, failed: 1 },
        ]);
      }),
    );
  });
}
