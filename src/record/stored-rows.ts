/** `rowOf`, `eventOf`, `storedCommandOf`, `ledgerEntryOf`, `lessonOf`: read a row of a table; both stores name their columns alike. */
import type { RunRow, StoredEvent } from './contract/journal.ts';
import type { LedgerEntry } from './contract/ledger.ts';
import type { StoredLesson } from './contract/lessons.ts';
import type { StoredCommand } from './contract/outbox.ts';

type Columns = Readonly<Record<string, unknown>>;

export function rowOf(row: Columns): RunRow {
  return {
    runId: row['run_id'] as string,
    title: row['title'] as string,
    state: row['state'] as string,
    stage: row['stage'] as string,
    agent: row['agent'] as string,
    repository: row['repository'] as string,
    createdAt: row['created_at'] as number,
    updatedAt: row['updated_at'] as number,
    progressAt: row['progress_at'] as number,
    costUsd: row['cost_usd'] as number,
    needsPerson: isTrue(row['needs_person']),
    ended: isTrue(row['ended']),
    view: row['view'] as string,
  };
}

/** SQLite has no booleans. */
function isTrue(value: unknown): boolean {
  return value === true || value === 1;
}

export function eventOf(runId: string, row: Columns): StoredEvent {
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

export function storedCommandOf(runId: string, row: Columns): StoredCommand {
  return {
    runId,
    key: row['key'] as string,
    type: row['type'] as string,
    body: row['body'] as string,
    seq: row['seq'] as number,
    index: row['position'] as number,
    createdAt: row['created_at'] as number,
    begunAt: row['begun_at'] as number | null,
  };
}

export function ledgerEntryOf(runId: string, row: Columns): LedgerEntry {
  return {
    id: row['id'] as string,
    runId,
    seq: row['seq'] as number,
    kind: row['kind'] as string,
    at: row['at'] as number,
    salt: row['salt'] as string,
    payload: row['payload'] as string | null,
    commitment: row['commitment'] as string,
    previousHash: row['previous_hash'] as string,
    hash: row['hash'] as string,
  };
}

export function lessonOf(row: Columns): StoredLesson {
  return {
    repository: row['repository'] as string,
    id: row['id'] as string,
    hash: row['hash'] as string,
    origin: row['origin'] as StoredLesson['origin'],
    stamp: row['stamp'] as string,
    updatedAt: row['updated_at'] as number,
    title: row['title'] as string,
    guidance: row['guidance'] as string,
    words: row['words'] as string,
    document: row['document'] as string,
  };
}
