/**
 * `outbox`: commands, timers and requests in SQLite. A command is asked, begun, then settled. A settled row stays, so that its key is never
 * performed again.
 */
import { checksum } from '../../checksum.ts';
import type { StoredTurn } from '../../contract/journal.ts';
import type { NewCommand, OutboxRecord } from '../../contract/outbox.ts';
import type { Redacted, RedactedText } from '../../redaction/redacted.ts';
import { storable } from '../../storable.ts';
import type { Connection } from '../connection.ts';
import { runHead } from '../run-head.ts';
import { mailboxItemOf, storedCommandOf, timerOf } from '../../stored-rows.ts';
import { MaydayError } from '../../../platform/mayday-error.ts';
import { StaleWriter } from '../../contract/record-unavailable.ts';

export function addCommand(
  connection: Connection,
  place: { run: number; seq: number; at: number },
  { key, type, body }: Redacted<NewCommand>,
): void {
  const { changes } = connection
    .statement(
      `INSERT INTO commands (run, key, seq, type, created_at, sum, body, position) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7,
         (SELECT coalesce(max(position) + 1, 0) FROM commands WHERE run = ?1 AND seq = ?3))
       ON CONFLICT (run, key) DO NOTHING`,
    )
    .run(
      place.run,
      key,
      place.seq,
      type,
      place.at,
      commandSum(place.run, { key, type, body }),
      storable(body),
    );
  if (changes === 1) return;
  const known = connection
    .statement('SELECT type, body FROM commands WHERE run = ? AND key = ?')
    .get(place.run, key);
  if (known?.['type'] !== type || known['body'] !== body)
    throw new Error(`Command key ${key} was used before for another command.`);
}

export function commandSum(run: number, { key, type, body }: NewCommand): number {
  return checksum(run, key, type, body);
}

export function settleCommand(connection: Connection, run: number, key: RedactedText): void {
  const { changes } = connection
    .statement('UPDATE commands SET settled = 1 WHERE run = ? AND key = ?')
    .run(run, key);
  if (changes !== 1) throw new Error(`Command ${key} cannot be settled: it was never asked for.`);
}

export function saveTimers(
  connection: Connection,
  run: number,
  timers: Redacted<NonNullable<StoredTurn['timers']>>,
): void {
  for (const name of timers.cancel)
    connection.statement('DELETE FROM timers WHERE run = ? AND name = ?').run(run, name);
  for (const { name, dueAt } of timers.set)
    connection
      .statement('INSERT OR REPLACE INTO timers (run, name, due_at, sum) VALUES (?, ?, ?, ?)')
      .run(run, name, dueAt, checksum(run, name, dueAt));
}

/** A missing item was taken by an earlier turn: taking it again would perform one request twice. */
export function acknowledge(connection: Connection, run: number, ids: readonly number[]): void {
  for (const id of ids) {
    const { changes } = connection.statement('DELETE FROM mailbox WHERE run = ? AND id = ?').run(run, id);
    if (changes !== 1) throw new StaleWriter(`Mailbox item ${id} was already taken.`);
  }
}

export function outbox(connection: Connection): OutboxRecord {
  const record: OutboxRecord = {
    pendingCommands: (runId, limit = -1) =>
      connection.list(
        `SELECT c.* FROM runs r CROSS JOIN commands c ON c.run = r.run AND c.settled = 0
         WHERE r.run_id = ? ORDER BY c.seq, c.position LIMIT ?`,
        [connection.redacted(runId), limit],
        (row) => storedCommandOf(runId, row),
      ),

    beginCommand: (ask) =>
      connection.write(() => {
        const { runId, key, fence } = connection.redacted(ask);
        const head = runHead(connection, runId);
        if (head === null || !head.held || head.fence !== fence) return false;
        const { changes } = connection
          .statement('UPDATE commands SET begun_at = ? WHERE run = ? AND key = ? AND settled = 0')
          .run(connection.now(), head.run, key);
        return changes === 1;
      }),

    timers: (runId) =>
      connection.list(
        `SELECT t.name, t.due_at FROM timers t JOIN runs r USING (run) WHERE r.run_id = ? ORDER BY t.due_at, t.name`,
        [connection.redacted(runId)],
        (row) => timerOf(runId, row),
      ),

    /** An expired lease that was not released is the trace of a dead owner: such a run waits even without a timer. */
    unowned: () =>
      connection.list(
        `SELECT r.run_id FROM runs r JOIN run_rows v USING (run)
         WHERE (r.held = 0 OR r.expires_at <= ?1)
           AND ((r.held = 1 AND v.ended = 0)
             OR EXISTS (SELECT 1 FROM commands c WHERE c.run = r.run AND c.settled = 0)
             OR EXISTS (SELECT 1 FROM timers t WHERE t.run = r.run AND t.due_at <= ?1)
             OR EXISTS (SELECT 1 FROM mailbox m WHERE m.run = r.run))
         ORDER BY r.run`,
        [connection.now()],
        (row) => row['run_id'] as string,
      ),

    post: (...given) =>
      connection.write(() => {
        const [runId, body] = [connection.redacted(given[0]), connection.redacted(given[1])];
        const head = runHead(connection, runId);
        if (head === null)
          throw new MaydayError('RUN_UNKNOWN', `there is no run ${runId}`, [
            ['do', '`mayday ps --all` lists the runs of this record'],
          ]);
        const at = connection.now();
        connection
          .statement('INSERT INTO mailbox (run, at, sum, body) VALUES (?, ?, ?, ?)')
          .run(head.run, at, checksum(head.run, at, body), storable(body));
      }),

    mailbox: (runId) =>
      connection.list(
        'SELECT m.id, m.at, m.body FROM mailbox m JOIN runs r USING (run) WHERE r.run_id = ? ORDER BY m.id',
        [connection.redacted(runId)],
        (row) => mailboxItemOf(runId, row),
      ),

    look: async (runId) => {
      const [mail, timers] = [await record.mailbox(runId), await record.timers(runId)];
      const [command = null] = await record.pendingCommands(runId, 1);
      return { mail, timers, command };
    },
  };
  return record;
}
