/** `mailbox`: the requests to runs, in PostgreSQL. */
import { MaydayError } from '../../../platform/mayday-error.ts';
import type { MailboxRecord } from '../../contract/mailbox.ts';
import { storable } from '../../storable.ts';
import { mailboxItemOf } from '../../stored-rows.ts';
import type { Connection } from '../connection.ts';

export function mailbox(connection: Connection): MailboxRecord {
  return {
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
        `SELECT id, at, body FROM mailbox WHERE run = (SELECT run FROM runs WHERE run_id = $1) ORDER BY id`,
        [connection.redacted(runId)],
        (row) => mailboxItemOf(runId, row),
      ),
  };
}
