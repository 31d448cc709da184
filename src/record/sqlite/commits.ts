import { MaydayError } from '../../platform/mayday-error.ts';
import type { Anchor, AnchoredHead } from '../anchor.ts';
import { checksum } from '../checksum.ts';
import { type NewEvent, type RunRecord, StaleWriter, type StoredEvent, type Turn } from '../contract.ts';
import { GENESIS_HASH } from '../ledger-chain.ts';
import { storable } from '../storable.ts';
import { appendToBus } from './bus.ts';
import type { Connection } from './connection.ts';
import { appendLedger } from './ledger.ts';
import { headForWriter, type RunHead, runHead, saveHead } from './leases.ts';
import { acknowledge } from './mailbox.ts';
import { saveRunMetrics } from './metrics.ts';
import { addCommand, settleCommand } from './outbox.ts';
import { saveRow } from './rows.ts';
import { changeTimers } from './timers.ts';

const FIRST_FENCE = 1;

export function commits(
  connection: Connection,
  anchors: () => readonly Anchor[],
): Pick<RunRecord, 'createRun' | 'commit' | 'events' | 'appendEvidence'> {
  const note = (before: RunHead, after: RunHead, events: readonly NewEvent[] = []): void => {
    const heads: AnchoredHead[] = [];
    const { runId } = after;
    if (after.headSeq > before.headSeq) {
      const [from, seq] = [before.headSeq + 1, after.headSeq];
      heads.push({ chain: 'journal', runId, from, seq, hash: eventsHash(runId, from, events) });
    }
    if (after.ledgerSeq > before.ledgerSeq)
      heads.push({ chain: 'ledger', runId, seq: after.ledgerSeq, hash: after.ledgerHash });
    if (heads.length > 0) for (const anchor of anchors()) anchor.note(heads);
  };

  return {
    createRun: async (turn, lease) => {
      const [before, after] = await connection.write(() => {
        const fresh = insertRun(connection, turn.runId, lease);
        return [fresh, applyTurn(connection, fresh, turn)] as const;
      });
      note(before, after, turn.events);
    },

    commit: async (turn) => {
      const [before, after] = await connection.write(() => {
        const head = headForWriter(connection, turn.runId, turn.fence);
        if (head.headSeq !== turn.expectedSeq)
          throw new StaleWriter(
            `Run ${turn.runId} is at event ${head.headSeq}, the writer has seen ${turn.expectedSeq}.`,
          );
        return [head, applyTurn(connection, head, turn)] as const;
      });
      note(before, after, turn.events);
    },

    appendEvidence: async (chain, entries) => {
      const [before, after] = await connection.write(() => {
        const head = runHead(connection, chain) ?? {
          ...insertRun(connection, chain, { owner: '', expiresAt: 0 }),
          held: false,
        };
        const grown = { ...head, ...appendLedger(connection, head, entries) };
        saveHead(connection, grown);
        return [head, grown] as const;
      });
      note(before, after);
    },

    events: (runId, afterSeq = 0) =>
      connection.read(() =>
        connection
          .statement(
            `SELECT e.* FROM runs r CROSS JOIN events e ON e.run = r.run AND e.seq > ?
             WHERE r.run_id = ? ORDER BY e.seq`,
          )
          .all(afterSeq, runId)
          .map((row) => eventOf(runId, row)),
      ),
  };
}

function insertRun(
  connection: Connection,
  runId: string,
  lease: { owner: string; expiresAt: number },
): RunHead {
  // Ids name folders and branches too, where case and Unicode form may not tell them apart.
  const folded = runId.normalize('NFKC').toLowerCase();
  const { changes, lastInsertRowid } = connection
    .statement(
      `INSERT INTO runs (run_id, folded_id, head_seq, ledger_seq, ledger_hash, fence, held, owner, expires_at, sum)
       VALUES (?, ?, 0, 0, ?, ?, 1, ?, ?, 0) ON CONFLICT DO NOTHING`,
    )
    .run(runId, folded, GENESIS_HASH, FIRST_FENCE, lease.owner, lease.expiresAt);
  if (changes !== 1)
    throw new MaydayError('RUN_EXISTS', `A run called ${runId} is already in the record.`, [
      ['what Mayday did', 'Left that run as it is and started nothing.'],
      ['what you can do', `\`mayday show ${runId}\` shows it; choose another name for the new run.`],
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
    expiresAt: lease.expiresAt,
  };
}

function applyTurn(
  connection: Connection,
  head: RunHead,
  turn: Omit<Turn, 'fence' | 'expectedSeq'>,
): RunHead {
  const { run } = head;
  let seq = head.headSeq;
  for (const event of turn.events) addEvent(connection, head, ++seq, event);
  const at = turn.events.at(-1)?.at ?? turn.row.updatedAt;
  for (const command of turn.commands ?? []) addCommand(connection, { run, seq, at }, command);
  for (const key of turn.settled ?? []) settleCommand(connection, run, key);
  if (turn.timers !== undefined) changeTimers(connection, run, turn.timers);
  if (turn.acknowledged !== undefined) acknowledge(connection, run, turn.acknowledged);
  appendToBus(connection, turn.bus ?? []);
  const after = { ...head, headSeq: seq, ...appendLedger(connection, head, turn.ledger ?? []) };
  saveRow(connection, run, turn.row);
  saveRunMetrics(connection, turn.row);
  saveHead(connection, after);
  return after;
}

function addEvent(connection: Connection, head: RunHead, seq: number, event: NewEvent): void {
  const { at, version, type, body } = event;
  const stored: StoredEvent = { runId: head.runId, seq, at, version, type, fence: head.fence, body };
  connection
    .statement(
      'INSERT INTO events (run, seq, at, version, type, fence, sum, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    )
    .run(head.run, seq, at, version, type, head.fence, eventSum(stored), storable(body));
}

/** Of neighbouring events as they were written, the first with the number `from`. */
export function eventsHash(runId: string, from: number, events: readonly NewEvent[]): string {
  const lines = events.map(({ at, version, type, body }, index) =>
    JSON.stringify([runId, from + index, at, version, type, body]),
  );
  return process.getBuiltinModule('node:crypto').hash('sha256', lines.join('\n'));
}

export function eventSum({ runId, seq, at, version, type, fence, body }: StoredEvent): number {
  return checksum(runId, seq, at, version, type, fence, body);
}

export function eventOf(runId: string, row: Record<string, unknown>): StoredEvent {
  return {
    runId,
    seq: row['seq'] as number,
    at: row['at'] as number,
    version: row['version'] as number,
    type: row['type'] as string,
    fence: row['fence'] as number,
    body: row['body'] as string,
  };
}
