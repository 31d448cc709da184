/** `outbox`: commands and timers in PostgreSQL. A settled row stays, so that its key is never performed again. */
import type { OutboxRecord } from '../../contract/outbox.ts';
import type { Connection } from '../connection.ts';
import { storedCommandOf, timerOf } from '../../stored-rows.ts';

const RUN = '(SELECT run FROM runs WHERE run_id = $1)';

export function outbox(connection: Connection): OutboxRecord {
  return {
    pendingCommands: (runId, limit) =>
      connection.list(
        `SELECT key, type, body, seq, position, created_at, begun_at FROM commands
         WHERE run = ${RUN} AND NOT settled ORDER BY seq, position LIMIT $2`,
        [connection.redacted(runId), limit ?? null],
        (row) => storedCommandOf(runId, row),
      ),

    beginCommand: async (ask) => {
      const { runId, key, fence } = connection.redacted(ask);
      // Locking the run keeps its lease from being taken between the look and the write.
      const begun = await connection.write(
        `WITH head AS (SELECT run FROM runs WHERE run_id = $1 AND held AND fence = $2 FOR UPDATE)
         UPDATE commands c SET begun_at = store_now($4) FROM head
         WHERE c.run = head.run AND c.key = $3 AND NOT c.settled RETURNING c.key`,
        [runId, fence, key, connection.now],
      );
      return begun.length === 1;
    },

    timers: (runId) =>
      connection.list(
        `SELECT name, due_at FROM timers WHERE run = ${RUN} ORDER BY due_at, name`,
        [connection.redacted(runId)],
        (row) => timerOf(runId, row),
      ),

    /** An expired lease that was not released shows a dead owner: such a run waits even without a timer. Each look has its index. */
    unowned: () =>
      connection.list(
        `SELECT r.run_id FROM runs r
         WHERE (NOT r.held OR r.expires_at <= store_now($1)) AND coalesce(r.host = $2, true) AND r.run IN (
           SELECT run FROM runs JOIN run_rows v USING (run) WHERE held AND expires_at <= store_now($1) AND NOT v.ended
           UNION SELECT run FROM commands WHERE NOT settled
           UNION SELECT run FROM timers WHERE due_at <= store_now($1)
           UNION SELECT run FROM mailbox)
         ORDER BY r.run`,
        [connection.now, connection.host],
        (row) => row['run_id'] as string,
      ),
  };
}
