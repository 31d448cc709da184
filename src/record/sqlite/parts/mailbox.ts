/** `mailbox`: the requests to runs, in SQLite. */
import { MaydayError } from '../../../platform/mayday-error.ts';
import { checksum } from '../../checksum.ts';
import type { MailboxRecord } from '../../contract/mailbox.ts';
import { StaleWriter } from '../../contract/stale-writer.ts';
import { storable } from '../../storable.ts';
import { mailboxItemOf } from '../../stored-rows.ts';
import type { Connection } from '../connection.ts';
import { runHead } from '../run-head.ts';

/** A missing item was taken by an earlier turn: taking it again would perform one request twice. */
export function acknowledge(connection: Connection, run: number, ids: readonly number[]): void {
  for (const id of ids) {
    const { changes } = connection.statement('DELETE FROM mailbox WHERE run = ? AND id = ?').run(run, id);
    if (changes !== 1) throw new StaleWriter(`Mailbox item ${id} was already taken.`);
  }
}

export function mailbox(connection: Connection): MailboxRecord {
  return {
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
  };
}
