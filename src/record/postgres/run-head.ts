/** `RunHead`, `runHead`: the small row of each run: where its journal and ledger end, and which fence may write. */
import type { RedactedText } from '../redaction/redacted.ts';
import type { Query, Row } from './connection.ts';
import { reader } from '../stored-rows.ts';

export interface RunHead {
  readonly run: number;
  readonly headSeq: number;
  readonly ledgerSeq: number;
  readonly ledgerHash: string;
  readonly fence: number;
  readonly held: boolean;
}

export async function runHead(ask: Query, runId: RedactedText): Promise<RunHead | null> {
  const [row] = await ask(
    'SELECT run, head_seq, ledger_seq, ledger_hash, fence, held FROM runs WHERE run_id = $1',
    [runId],
  );
  return row === undefined ? null : headOf(row);
}

const headOf: (row: Row) => RunHead = reader('run', 'headSeq', 'ledgerSeq', 'ledgerHash', 'fence', 'held');
