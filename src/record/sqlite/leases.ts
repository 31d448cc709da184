import { checksum } from '../checksum.ts';
import type { Lease, RunRecord } from '../contract.ts';
import { StaleWriter } from '../contract.ts';
import type { Connection } from './connection.ts';

/**
 * States of a lease: held (by `owner`, until `expires_at` and then until somebody takes it) or free (released).
 * Taking it always raises the fence; only the holder of the present fence may write. Time decides who may take it,
 * the fence decides who may write, so that a wrong clock can cost a takeover but never two writers.
 */
export interface RunHead {
  readonly run: number;
  readonly runId: string;
  readonly headSeq: number;
  readonly ledgerSeq: number;
  readonly ledgerHash: string;
  readonly fence: number;
  readonly held: boolean;
  readonly owner: string;
  readonly expiresAt: number;
}

const SELECT_HEAD = 'SELECT * FROM runs WHERE run_id = ?';
const UPDATE_HEAD = `UPDATE runs SET head_seq = ?, ledger_seq = ?, ledger_hash = ?, fence = ?, held = ?, owner = ?,
  expires_at = ?, sum = ? WHERE run = ?`;

export function runHead(connection: Connection, runId: string): RunHead | null {
  const row = connection.statement(SELECT_HEAD).get(runId);
  return row === undefined ? null : headOf(row);
}

export function headOf(row: Record<string, unknown>): RunHead {
  return {
    run: row['run'] as number,
    runId: row['run_id'] as string,
    headSeq: row['head_seq'] as number,
    ledgerSeq: row['ledger_seq'] as number,
    ledgerHash: row['ledger_hash'] as string,
    fence: row['fence'] as number,
    held: row['held'] === 1,
    owner: row['owner'] as string,
    expiresAt: row['expires_at'] as number,
  };
}

export function headSum(head: RunHead): number {
  const { run, runId, headSeq, ledgerSeq, ledgerHash, fence, held, owner, expiresAt } = head;
  return checksum(run, runId, headSeq, ledgerSeq, ledgerHash, fence, held ? 1 : 0, owner, expiresAt);
}

export function saveHead(connection: Connection, head: RunHead): void {
  const { run, headSeq, ledgerSeq, ledgerHash, fence, held, owner, expiresAt } = head;
  connection
    .statement(UPDATE_HEAD)
    .run(headSeq, ledgerSeq, ledgerHash, fence, held ? 1 : 0, owner, expiresAt, headSum(head), run);
}

/** The head of the run, if `fence` may write to it. */
export function headForWriter(connection: Connection, runId: string, fence: number): RunHead {
  const head = runHead(connection, runId);
  if (head === null) throw new StaleWriter(`There is no run ${runId}.`);
  if (!head.held || head.fence !== fence)
    throw new StaleWriter(
      `Fence ${fence} of run ${runId} is stale: it is now ${head.fence}${head.held ? '' : ', released'}.`,
    );
  return head;
}

export function leases(
  connection: Connection,
): Pick<RunRecord, 'lease' | 'acquireLease' | 'renewLease' | 'releaseLease'> {
  return {
    lease: (runId) =>
      connection.read((): Lease | null => {
        const head = runHead(connection, runId);
        if (head === null || !head.held) return null;
        return { runId, owner: head.owner, fence: head.fence, expiresAt: head.expiresAt };
      }),

    acquireLease: async ({ runId, owner, now, ttlMs, observedDeadFence }) => {
      const mayTake = (head: RunHead | null): head is RunHead =>
        head !== null && (!head.held || head.expiresAt <= now || head.fence === observedDeadFence);
      // Most askers are refused; they need no write lock to learn it.
      if (!mayTake(await connection.read(() => runHead(connection, runId)))) return null;
      return connection.write(() => {
        const head = runHead(connection, runId);
        if (!mayTake(head)) return null;
        const fence = head.fence + 1;
        saveHead(connection, { ...head, fence, held: true, owner, expiresAt: now + ttlMs });
        return fence;
      });
    },

    renewLease: ({ runId, fence, now, ttlMs }) =>
      connection.write(() => {
        const head = runHead(connection, runId);
        if (head === null || !head.held || head.fence !== fence) return false;
        saveHead(connection, { ...head, expiresAt: now + ttlMs });
        return true;
      }),

    releaseLease: (runId, fence) =>
      connection.write(() => {
        const head = runHead(connection, runId);
        if (head === null || !head.held || head.fence !== fence) return;
        saveHead(connection, { ...head, held: false, owner: '', expiresAt: 0 });
      }),
  };
}
