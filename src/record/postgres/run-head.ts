/** `RunHead`, `runHead`: the small row of each run: where its journal and ledger end, and which fence may write. */
import type { RedactedText } from '../redaction/redacted.ts';
import type { Query } from './connection.ts';

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
  if (row === undefined) return null;
  return {
    run: row['run'] as number,
    headSeq: row['head_seq'] as number,
    ledgerSeq: row['ledger_seq'] as number,
    ledgerHash: row['ledger_hash'] as string,
    fence: row['fence'] as number,
    held: row['held'] as boolean,
  };
}
