/** `journal`: the events of runs in SQLite. */
import { checksum } from '../../checksum.ts';
import type { JournalRecord, NewEvent, StoredEvent, StoredTurn } from '../../contract/journal.ts';
import { StaleWriter } from '../../contract/record-unavailable.ts';
import type { Redacted } from '../../redaction/redacted.ts';
import { storable } from '../../storable.ts';
import { appendToBus } from './bus.ts';
import type { Connection } from '../connection.ts';
import { appendLedger } from './ledger.ts';
import { headForWriter, insertRun, type RunHead, saveHead } from '../run-head.ts';
import { type Anchors, noteHeads } from '../note-heads.ts';
import { acknowledge } from './outbox.ts';
import { saveRunMetrics } from './metrics.ts';
import { addCommand, saveTimers, settleCommand } from './outbox.ts';
import { rows, saveRow } from './rows.ts';
import { eventOf } from '../../stored-rows.ts';

export function journal(connection: Connection, anchors: Anchors): Omit<JournalRecord, 'anchored'> {
  return {
    ...rows(connection),

    createRun: async (given, lease) => {
      const turn = connection.redacted(given);
      const [before, after] = await connection.write(() => {
        const fresh = insertRun(connection, turn.runId, connection.redacted(lease));
        return [fresh, applyTurn(connection, fresh, turn)] as const;
      });
      noteHeads(anchors, before, after, turn.events);
    },

    commit: async (given) => {
      const turn = connection.redacted(given);
      const [before, after] = await connection.write(() => {
        const head = headForWriter(connection, turn.runId, turn.fence);
        if (head.headSeq !== turn.expectedSeq)
          throw new StaleWriter(
            `Run ${turn.runId} is at event ${head.headSeq}, the writer has seen ${turn.expectedSeq}.`,
          );
        return [head, applyTurn(connection, head, turn)] as const;
      });
      noteHeads(anchors, before, after, turn.events);
    },

    events: (runId, afterSeq = 0, limit = -1) =>
      connection.list(
        `SELECT e.* FROM runs r CROSS JOIN events e ON e.run = r.run AND e.seq > ?
         WHERE r.run_id = ? ORDER BY e.seq LIMIT ?`,
        [afterSeq, connection.redacted(runId), limit],
        (row) => eventOf(runId, row),
      ),
  };
}

function applyTurn(
  connection: Connection,
  head: RunHead,
  turn: Redacted<Omit<StoredTurn, 'fence' | 'expectedSeq'>>,
): RunHead {
  const { run } = head;
  let seq = head.headSeq;
  for (const event of turn.events) addEvent(connection, head, ++seq, event);
  const at = turn.events.at(-1)?.at ?? turn.row.updatedAt;
  for (const command of turn.commands ?? []) addCommand(connection, { run, seq, at }, command);
  for (const key of turn.settled ?? []) settleCommand(connection, run, key);
  if (turn.timers !== undefined) saveTimers(connection, run, turn.timers);
  if (turn.acknowledged !== undefined) acknowledge(connection, run, turn.acknowledged);
  appendToBus(connection, turn.bus ?? []);
  const after = { ...head, headSeq: seq, ...appendLedger(connection, head, turn.ledger ?? []) };
  saveRow(connection, run, turn.row);
  saveRunMetrics(connection, turn.row);
  saveHead(connection, after);
  return after;
}

function addEvent(connection: Connection, head: RunHead, seq: number, event: Redacted<NewEvent>): void {
  const { at, version, type, body } = event;
  const stored = { runId: head.runId, seq, at, version, type, fence: head.fence, body };
  connection
    .statement(
      'INSERT INTO events (run, seq, at, version, type, fence, sum, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    )
    .run(head.run, seq, at, version, type, head.fence, eventSum(stored), storable(body));
}

export function eventsBetween(
  connection: Connection,
  runId: string,
  from: number,
  to: number,
): StoredEvent[] {
  return connection.database
    .prepare(
      'SELECT e.* FROM events e JOIN runs r USING (run) WHERE r.run_id = ? AND e.seq BETWEEN ? AND ? ORDER BY e.seq',
    )
    .all(runId, from, to)
    .map((row) => eventOf(runId, row));
}

export function eventSum({ runId, seq, at, version, type, fence, body }: StoredEvent): number {
  return checksum(runId, seq, at, version, type, fence, body);
}
