/** `RunHead`: the small row of each run: where its journal and ledger end, and which fence may write. */
import { usageError } from '../../platform/mayday-error.ts';
import { checksum } from '../checksum.ts';
import { StaleWriter } from '../contract/record-unavailable.ts';
import { GENESIS_HASH } from '../ledger-chain.ts';
import { madeHere, type RedactedText } from '../redaction/redacted.ts';
import type { Connection } from './connection.ts';
import { reader } from '../stored-rows.ts';

export interface RunHead {
  readonly run: number;
  readonly runId: RedactedText;
  readonly headSeq: number;
  readonly ledgerSeq: number;
  readonly ledgerHash: string;
  readonly fence: number;
  readonly held: boolean;
  readonly owner: RedactedText;
  readonly expiresAt: number;
}

const SELECT_HEAD = 'SELECT * FROM runs WHERE run_id = ?';
const UPDATE_HEAD = `UPDATE runs SET head_seq = ?, ledger_seq = ?, ledger_hash = ?, fence = ?, held = ?, owner = ?,
  expires_at = ?, sum = ? WHERE run = ?`;

export function runHead(connection: Connection, runId: RedactedText): RunHead | null {
  const row = connection.statement(SELECT_HEAD).get(runId);
  return row === undefined ? null : headOf(row);
}

export function headOf(row: Record<string, unknown>): RunHead {
  return { ...whereItEnds(row), ...lease(row), held: row['held'] === 1 };
}

const whereItEnds = reader('run', 'runId', 'headSeq', 'ledgerSeq', 'ledgerHash');
const lease = reader('fence', 'owner', 'expiresAt');

export function headSum(head: RunHead): number {
  const { run, runId, headSeq, ledgerSeq, ledgerHash, fence, held, owner, expiresAt } = head;
  return checksum(run, runId, headSeq, ledgerSeq, ledgerHash, fence, held ? 1 : 0, owner, expiresAt);
}

export function saveHead(connection: Connection, head: RunHead): void {
  const { run, headSeq, ledgerSeq, ledgerHash, fence, held, owner, expiresAt } = head;
  connection
    .statement(UPDATE_HEAD)
    .run(headSeq, ledgerSeq, madeHere(ledgerHash), fence, held ? 1 : 0, owner, expiresAt, headSum(head), run);
}

/** The head of the run, if `fence` may write to it. */
export function headForWriter(connection: Connection, runId: RedactedText, fence: number): RunHead {
  const head = runHead(connection, runId);
  if (head === null) throw new StaleWriter(`There is no run ${runId}.`);
  if (!head.held || head.fence !== fence)
    throw new StaleWriter(
      `Fence ${fence} of run ${runId} is stale: it is now ${head.fence}${head.held ? '' : ', released'}.`,
    );
  return head;
}

const FIRST_FENCE = 1;

export function insertRun(
  connection: Connection,
  runId: RedactedText,
  lease: { readonly owner: RedactedText; readonly ttlMs: number },
): RunHead {
  const expiresAt = connection.now() + lease.ttlMs;
  // Ids also name folders and branches, where upper and lower case or Unicode forms may be the same name.
  const folded = madeHere(runId.normalize('NFKC').toLowerCase());
  const { changes, lastInsertRowid } = connection
    .statement(
      `INSERT INTO runs (run_id, folded_id, head_seq, ledger_seq, ledger_hash, fence, held, owner, expires_at, sum)
       VALUES (?, ?, 0, 0, ?, ?, 1, ?, ?, 0) ON CONFLICT DO NOTHING`,
    )
    .run(runId, folded, madeHere(GENESIS_HASH), FIRST_FENCE, lease.owner, expiresAt);
  if (changes !== 1)
    throw usageError('RUN_EXISTS', `a run called ${runId} is already in the record`, [
      ['did', 'nothing: that run is left as it is'],
      ['do', `choose another name; mayday show ${runId} shows that run`],
    ]);
  return {
    run: Number(lastInsertRowid),
    runId,
    headSeq: 0,
    ledgerSeq: 0,
    ledgerHash: GENESIS_HASH,
    fence: FIRST_FENCE,
    held: true,
    owner: lease.owner,
    expiresAt,
  };
}
