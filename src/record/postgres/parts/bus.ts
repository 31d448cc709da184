/** `bus`: the bus in PostgreSQL, with tasks and agents folded from it. */
import { agentName, type BusAgent, foldAgent } from '../../../core/bus/bus-agent.ts';
import type { BusEntry, BusMessage } from '../../../core/bus/bus-message.ts';
import { type BusTask, foldTask } from '../../../core/bus/bus-task.ts';
import type { BusRecord, NewBusMessage } from '../../contract/bus.ts';
import { madeHere, type Redacted, type RedactedText } from '../../redaction/redacted.ts';
import { storable } from '../../storable.ts';
import { busMessageOf } from '../../stored-rows.ts';
import { busId, FINISHED } from './bus-id.ts';
import type { Query, Bound, Connection, Row } from '../connection.ts';

/** Whoever folds messages holds this lock until its transaction ends: tasks and agents are read, folded and written back. */
const FOLD_LOCK = 0x4d425553;

/** A run that tells how its own task goes changes neither a task of an external agent nor an agent's flag. */
export function mustBeFolded(messages: Redacted<readonly NewBusMessage[]>): boolean {
  return messages.some(
    ({ source, body }) => source !== 'run' || (JSON.parse(body) as BusMessage).type !== 'TASK_UPDATE',
  );
}

/** Inside the transaction that also adds the messages, in this order. Returns their ids. */
export async function foldIntoBus(
  ask: Query,
  messages: Redacted<readonly NewBusMessage[]>,
): Promise<number[]> {
  await ask(`SELECT pg_advisory_xact_lock(${FOLD_LOCK})::text`);
  const ids: number[] = [];
  for (const [index, { at, source, body }] of messages.entries()) {
    const [row] = await ask(`SELECT ${busId('$1::bigint')} AS id`, [index + 1]);
    const id = row?.['id'] as number;
    await fold(ask, { id, at, source, message: JSON.parse(body) as BusMessage });
    ids.push(id);
  }
  return ids;
}

export function bus(connection: Connection): BusRecord {
  const read: Query = (sql, values) => connection.read(sql, values);
  return {
    publish: (messages, given) => {
      const [all, unlessNews] = [connection.redacted(messages), connection.redacted(given)];
      return connection.transaction(async (ask) => {
        await ask(`SELECT pg_advisory_xact_lock(${FOLD_LOCK})::text`);
        if (unlessNews !== undefined) {
          const { agentId, taskId, latestId } = unlessNews;
          if (((await task(ask, agentId, taskId))?.latestId ?? 0) !== latestId) return null;
        }
        for (const [index, { at, source, body }] of all.entries())
          await ask(`INSERT INTO bus (id, at, source, body) VALUES (${busId('$1::bigint')}, $2, $3, $4)`, [
            index + 1,
            at,
            source,
            storable(body),
          ]);
        return await foldIntoBus(ask, all);
      });
    },

    messages: (afterId, limit) =>
      connection.list(
        `SELECT id, at, source, body FROM bus WHERE id > $1 AND ${FINISHED.busId} ORDER BY id LIMIT $2`,
        [afterId, limit],
        busMessageOf,
      ),

    lastMessage: async () => {
      const [row] = await connection.read(
        `SELECT coalesce(max(id), 0) AS id FROM bus WHERE ${FINISHED.busId}`,
      );
      return row?.['id'] as number;
    },

    busTask: (agentId, taskId) => task(read, connection.redacted(agentId), connection.redacted(taskId)),

    runningTasks: (limit) =>
      connection.list(
        'SELECT body FROM bus_tasks WHERE running_since IS NOT NULL ORDER BY running_since LIMIT $1',
        [limit],
        bodyOf<BusTask>,
      ),

    busAgents: () =>
      connection.list('SELECT body FROM bus_agents ORDER BY name, external', [], bodyOf<BusAgent>),
  };
}

async function fold(ask: Query, entry: BusEntry): Promise<void> {
  const { message } = entry;
  const taskId = 'task_id' in message ? message.task_id : null;
  const earlier = taskId === null ? null : await task(ask, madeHere(message.agent_id), madeHere(taskId));
  const now = foldTask(earlier, entry);
  if (now !== null) await saveTask(ask, now);
  // A person may clear an agent by any of its names.
  const kinds = entry.source === 'person' ? [true, false] : [entry.source !== 'run'];
  for (const external of kinds) {
    const agent = foldAgent(await agentOf(ask, agentName(entry), external), entry, { earlier, now });
    if (agent !== null) await saveAgent(ask, agent);
  }
}

async function task(ask: Query, agentId: RedactedText, taskId: RedactedText): Promise<BusTask | null> {
  return await body<BusTask>(ask, 'SELECT body FROM bus_tasks WHERE agent_id = $1 AND task_id = $2', [
    agentId,
    taskId,
  ]);
}

async function agentOf(ask: Query, name: string, external: boolean): Promise<BusAgent | null> {
  return await body<BusAgent>(ask, 'SELECT body FROM bus_agents WHERE name = $1 AND external = $2', [
    madeHere(name),
    external,
  ]);
}

async function body<T>(ask: Query, sql: string, values: readonly Bound[]): Promise<T | null> {
  const [row] = await ask(sql, values);
  return row === undefined ? null : bodyOf(row);
}

function bodyOf<T>(row: Row): T {
  return JSON.parse(row['body'] as string) as T;
}

async function saveTask(ask: Query, one: BusTask): Promise<void> {
  await ask(
    `INSERT INTO bus_tasks (agent_id, task_id, running_since, body) VALUES ($1, $2, $3, $4)
     ON CONFLICT (agent_id, task_id) DO UPDATE SET running_since = excluded.running_since, body = excluded.body`,
    [madeHere(one.agentId), madeHere(one.taskId), one.runningSince, madeHere(JSON.stringify(one))],
  );
}

async function saveAgent(ask: Query, agent: BusAgent): Promise<void> {
  await ask(
    `INSERT INTO bus_agents (name, external, body) VALUES ($1, $2, $3)
     ON CONFLICT (name, external) DO UPDATE SET body = excluded.body`,
    [madeHere(agent.name), agent.external, madeHere(JSON.stringify(agent))],
  );
}
