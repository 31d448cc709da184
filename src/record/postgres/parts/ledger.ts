/** `ledger`: the chains of evidence in PostgreSQL. */
import { MaydayError } from '../../../platform/mayday-error.ts';
import type { LedgerRecord } from '../../contract/ledger.ts';
import { GENESIS_HASH, nextLink } from '../../ledger-chain.ts';
import { madeHere } from '../../redaction/redacted.ts';
import type { Connection } from '../connection.ts';
import { addRun } from './journal.ts';
import { SqlText } from '../sql-text.ts';
import { addLinks } from '../turn-statement.ts';
import { ledgerEntryOf } from '../../stored-rows.ts';

export function ledger(connection: Connection): LedgerRecord {
  return {
    ledger: (runId) =>
      connection.list(
        `SELECT * FROM ledger WHERE run = (SELECT run FROM runs WHERE run_id = $1) ORDER BY seq`,
        [connection.redacted(runId)],
        (row) => ledgerEntryOf(runId, row),
      ),

    appendEvidence: (...given) => {
      const [chain, entries] = [connection.redacted(given[0]), connection.redacted(given[1])];
      return connection.transaction(async (ask) => {
        const created = new SqlText();
        const empty = { ledgerSeq: 0, ledgerHash: GENESIS_HASH };
        addRun(created, { runId: chain, headSeq: 0, ledger: empty, lease: null });
        await ask(created.sql, created.values);
        const [head] = await ask('SELECT ledger_seq, ledger_hash FROM runs WHERE run_id = $1 FOR UPDATE', [
          chain,
        ]);
        let end = { seq: head?.['ledger_seq'] as number, hash: head?.['ledger_hash'] as string };
        const links = entries.map((entry) => {
          const link = nextLink(chain, end, entry);
          end = link;
          return link;
        });
        const text = new SqlText();
        text.add`WITH head AS (UPDATE runs SET ledger_seq = ${end.seq}::bigint, ledger_hash = ${madeHere(end.hash)}::text
          WHERE run_id = ${chain}::text RETURNING run), `;
        addLinks(text, links);
        text.add` SELECT run FROM head`;
        await ask(text.sql, text.values);
      });
    },

    /** Copies in backups, replicas and the server's write-ahead log stay until they are gone by themselves; docs/how-to says so. */
    erase: async (ledgerId) => {
      // Without the salt, a guess of the payload cannot be tested against the commitment.
      const erased = await connection.write(
        `UPDATE ledger SET payload = NULL, salt = '' WHERE id = $1 RETURNING id`,
        [connection.redacted(ledgerId)],
      );
      if (erased.length === 0)
        throw new MaydayError('LEDGER_UNKNOWN', `there is no ledger entry ${ledgerId}`, [
          ['do', '`mayday show RUN --json` lists the ledger ids of a run'],
        ]);
    },
  };
}
