/** `bus`: the bus in SQLite, with tasks and agents folded from it. */
import { agentName, type BusAgent, foldAgent } from '../../../core/bus/bus-agent.ts';
import type { BusEntry, BusMessage } from '../../../core/bus/bus-message.ts';
import { type BusTask, foldTask } from '../../../core/bus/bus-task.ts';
import { checksum } from '../../checksum.ts';
import type { BusRecord, NewBusMessage, StoredBusMessage } from '../../contract/bus.ts';
import { madeHere, type Redacted, type RedactedText } from '../../redaction/redacted.ts';
import { storable } from '../../storable.ts';
import { busMessageOf } from '../../stored-rows.ts';
import type { Connection } from '../connection.ts';
import { corruptRecord } from '../sqlite-error.ts';

/** Inside a transaction of the caller. */
export function appendToBus(
  connection: Connection,
  messages: Redacted<readonly NewBusMessage[]>,
): readonly number[] {
  return messages.map(({ at, source, body }) => {
    const id = lastId(connection) + 1;
    connection
      .statement('INSERT INTO bus (id, at, source, sum, body) VALUES (?, ?, ?, ?, ?)')
      .run(id, at, source, messageSum({ id, at, source, body }), storable(body));
    fold(connection, { id, at, source, message: JSON.parse(body) as BusMessage });
    return id;
  });
}

export function bus(connection: Connection): BusRecord {
  return {
    publish: (messages, given) =>
      connection.write(() => {
        const unlessNews = connection.redacted(given);
        if (unlessNews !== undefined) {
          const { agentId, taskId, latestId } = unlessNews;
          if ((task(connection, agentId, taskId)?.latestId ?? 0) !== latestId) return null;
        }
        return appendToBus(connection, connection.redacted(messages));
      }),

    messages: (afterId, limit) =>
      connection.list(
        'SELECT id, at, source, body FROM bus WHERE id > ? ORDER BY id LIMIT ?',
        [afterId, limit],
        busMessageOf,
      ),

    lastMessage: () => connection.read(() => lastId(connection)),

    busTask: (agentId, taskId) =>
      connection.read(() => task(connection, connection.redacted(agentId), connection.redacted(taskId))),

    runningTasks: (limit) =>
      connection.list(
        'SELECT body FROM bus_tasks WHERE running_since IS NOT NULL ORDER BY running_since LIMIT ?',
        [limit],
        (row) => read<BusTask>(connection, row),
      ),

    busAgents: () =>
      connection.list('SELECT body FROM bus_agents ORDER BY name, external', [], (row) =>
        read<BusAgent>(connection, row),
      ),
  };
}

export function messageSum({ id, at, source, body }: StoredBusMessage): number {
  return checksum(id, at, source, body);
}

function read<T>({ path }: Connection, row: Record<string, unknown>): T {
  try {
    return JSON.parse(row['body'] as string) as T;
  } catch (error) {
    throw corruptRecord(path, error);
  }
}

function lastId(connection: Connection): number {
  return connection.statement('SELECT coalesce(max(id), 0) AS id FROM bus').get()?.['id'] as number;
}

function fold(connection: Connection, entry: BusEntry): void {
  const { message } = entry;
  const taskId = 'task_id' in message ? message.task_id : null;
  const earlier = taskId === null ? null : task(connection, madeHere(message.agent_id), madeHere(taskId));
  const now = foldTask(earlier, entry);
  if (now !== null) saveTask(connection, now);
  // A person may clear an agent by any of its names.
  const kinds = entry.source === 'person' ? [true, false] : [entry.source !== 'run'];
  for (const external of kinds) {
    const agent = foldAgent(agentOf(connection, agentName(entry), external), entry, { earlier, now });
    if (agent !== null) saveAgent(connection, agent);
  }
}

function task(connection: Connection, agentId: RedactedText, taskId: RedactedText): BusTask | null {
  const row = connection
    .statement('SELECT body FROM bus_tasks WHERE agent_id = ? AND task_id = ?')
    .get(agentId, taskId);
  return row === undefined ? null : read<BusTask>(connection, row);
}

function saveTask(connection: Connection, one: BusTask): void {
  const { agentId, taskId, latestId, runningSince } = one;
  const body = JSON.stringify(one);
  connection
    .statement(
      `INSERT OR REPLACE INTO bus_tasks (agent_id, task_id, latest_id, running_since, sum, body)
       VALUES (?, ?, ?, ?, ?, ?)`,
    )
    .run(
      madeHere(agentId),
      madeHere(taskId),
      latestId,
      runningSince,
      checksum(agentId, taskId, latestId, runningSince, body),
      madeHere(body),
    );
}

function agentOf(connection: Connection, name: string, external: boolean): BusAgent | null {
  const row = connection
    .statement('SELECT body FROM bus_agents WHERE name = ? AND external = ?')
    .get(madeHere(name), external ? 1 : 0);
  return row === undefined ? null : read<BusAgent>(connection, row);
}

function saveAgent(connection: Connection, agent: BusAgent): void {
  const external = agent.external ? 1 : 0;
  const body = JSON.stringify(agent);
  connection
    .statement('INSERT OR REPLACE INTO bus_agents (name, external, sum, body) VALUES (?, ?, ?, ?)')
    .run(madeHere(agent.name), external, checksum(agent.name, external, body), madeHere(body));
}
