/**
 * `outbox`: commands, timers and requests in PostgreSQL. A settled row stays, so that its key is never performed again. What keepers look
 * for is one statement for all runs of a host.
 */
import type { OutboxRecord, RunLook } from '../../contract/outbox.ts';
import type { Connection, Row } from '../connection.ts';
import { mailboxItemOf, storedCommandOf, timerOf } from '../../stored-rows.ts';
import { MaydayError } from '../../../platform/mayday-error.ts';
import { storable } from '../../storable.ts';
import type { RedactedText } from '../../redaction/redacted.ts';
import { fromStored } from '../exact-text.ts';
import { gathered } from '../gathered.ts';

const NOTHING: RunLook = { mail: [], timers: [], command: null };
const RUN = '(SELECT run FROM runs WHERE run_id = $1)';

export function outbox(connection: Connection): OutboxRecord {
  const ask = gathered(async (runIds: readonly RedactedText[]) => {
    const found = await connection.list(
      `SELECT r.run_id,
         (SELECT json_agg(m ORDER BY m.id) FROM mailbox m WHERE m.run = r.run)::text AS mail,
         (SELECT json_agg(t ORDER BY t.due_at, t.name) FROM timers t WHERE t.run = r.run)::text AS timers,
         (SELECT json_agg(c) FROM (SELECT * FROM commands WHERE run = r.run AND NOT settled
           ORDER BY seq, position LIMIT 1) c)::text AS commands
       FROM runs r WHERE r.run_id = ANY ($1)`,
      [runIds],
      lookOf,
    );
    return new Map(found);
  });
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

    post: async (...given) => {
      const [runId, body] = [connection.redacted(given[0]), connection.redacted(given[1])];
      const posted = await connection.write(
        `INSERT INTO mailbox (run, at, body) SELECT run, store_now($3), $2 FROM runs WHERE run_id = $1 RETURNING id`,
        [runId, storable(body), connection.now],
      );
      if (posted.length === 0)
        throw new MaydayError('RUN_UNKNOWN', `there is no run ${runId}`, [
          ['do', '`mayday ps --all` lists the runs of this record'],
        ]);
    },

    mailbox: (runId) =>
      connection.list(
        `SELECT id, at, body FROM mailbox WHERE run = ${RUN} ORDER BY id`,
        [connection.redacted(runId)],
        (row) => mailboxItemOf(runId, row),
      ),

    look: async (runId) => {
      const own = connection.redacted(runId);
      return (await ask(own)).get(own) ?? NOTHING;
    },
  };
}

function lookOf(row: Row): readonly [runId: string, RunLook] {
  const runId = row['run_id'] as string;
  const [command = null] = rowsIn(row['commands']).map((each) => storedCommandOf(runId, each));
  const mail = rowsIn(row['mail']).map((each) => mailboxItemOf(runId, each));
  return [runId, { mail, timers: rowsIn(row['timers']).map((each) => timerOf(runId, each)), command }];
}

function rowsIn(json: unknown): readonly Row[] {
  if (json === null) return [];
  return JSON.parse(json as string, (_name, value: unknown) =>
    typeof value === 'string' ? fromStored(value) : value,
  ) as readonly Row[];
}
