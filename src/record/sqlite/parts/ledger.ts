/** `ledger`: the chains of evidence in SQLite. */
import { MaydayError } from '../../../platform/mayday-error.ts';
import type { LedgerRecord, NewLedgerEntry } from '../../contract/ledger.ts';
import { nextLink } from '../../ledger-chain.ts';
import { madeHere, type Redacted } from '../../redaction/redacted.ts';
import { storable } from '../../storable.ts';
import type { Connection } from '../connection.ts';
import { type Anchors, noteHeads } from '../note-heads.ts';
import { insertRun, type RunHead, runHead, saveHead } from '../run-head.ts';
import { ledgerEntryOf } from '../../stored-rows.ts';

/** Appends to the run's chain and returns where it ends now. */
export function appendLedger(
  connection: Connection,
  head: RunHead,
  entries: Redacted<readonly NewLedgerEntry[]>,
): Pick<RunHead, 'ledgerSeq' | 'ledgerHash'> {
  let end = { seq: head.ledgerSeq, hash: head.ledgerHash };
  for (const entry of entries) {
    const { id, kind } = entry;
    const link = nextLink(head.runId, end, entry);
    connection
      .statement(
        `INSERT INTO ledger (id, run, seq, kind, at, salt, payload, commitment, previous_hash, hash)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        id,
        head.run,
        link.seq,
        kind,
        link.at,
        madeHere(link.salt),
        madeHere(storable(link.payload)),
        madeHere(link.commitment),
        madeHere(link.previousHash),
        madeHere(link.hash),
      );
    end = link;
  }
  return { ledgerSeq: end.seq, ledgerHash: end.hash };
}

export function ledger(connection: Connection, anchors: Anchors): LedgerRecord {
  return {
    ledger: (runId) =>
      connection.list(
        'SELECT l.* FROM ledger l JOIN runs r USING (run) WHERE r.run_id = ? ORDER BY l.seq',
        [connection.redacted(runId)],
        (row) => ledgerEntryOf(runId, row),
      ),

    appendEvidence: async (...given) => {
      const [chain, entries] = [connection.redacted(given[0]), connection.redacted(given[1])];
      const [before, after] = await connection.write(() => {
        const head = runHead(connection, chain) ?? {
          ...insertRun(connection, chain, { owner: madeHere(''), ttlMs: 0 }),
          held: false,
        };
        const grown = { ...head, ...appendLedger(connection, head, entries) };
        saveHead(connection, grown);
        return [head, grown] as const;
      });
      noteHeads(anchors, before, after);
    },

    erase: async (ledgerId) => {
      await connection.write(() => {
        // Without the salt, a guess of the payload cannot be tested against the commitment.
        const { changes } = connection
          .statement(`UPDATE ledger SET payload = NULL, salt = '' WHERE id = ?`)
          .run(connection.redacted(ledgerId));
        if (changes !== 1)
          throw new MaydayError('LEDGER_UNKNOWN', `there is no ledger entry ${ledgerId}`, [
            ['do', '`mayday show RUN --json` lists the ledger ids of a run'],
          ]);
      });
      // The old bytes are still in free space and in the write-ahead log; only a new file is sure not to hold them.
      await connection.outsideTransaction('VACUUM');
      await connection.outsideTransaction('PRAGMA wal_checkpoint(TRUNCATE)');
    },
  };
}
