/** `rowOf`, `eventOf`, `lessonOf`...: read a row of each table; both stores name their columns alike. */
import type { Sighting } from '../core/fleet/shared-cause.ts';
import type { StoredBusMessage } from './contract/bus.ts';
import type { RunChange, RunRow, StoredEvent } from './contract/journal.ts';
import type { LedgerEntry } from './contract/ledger.ts';
import type { StoredLesson } from './contract/lessons.ts';
import type { MailboxItem } from './contract/mailbox.ts';
import type { StoredCommand, Timer } from './contract/outbox.ts';

type Columns = Readonly<Record<string, unknown>>;

/** `created_at` is `createdAt`. */
export function fieldOf(column: string): string {
  return column.replaceAll(/_[a-z]/g, (letter) => letter.slice(1).toUpperCase());
}

/** Reads these fields from the columns of the same name, which are in snake_case. `never`: the table keeps their types. */
export function reader<Field extends string>(
  ...fields: readonly Field[]
): (row: Columns) => Record<Field, never> {
  const columns = fields.map(
    (field) => [field, field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)] as const,
  );
  return (row) =>
    Object.fromEntries(columns.map(([field, column]) => [field, row[column]])) as Record<Field, never>;
}

export const runChangeOf: (row: Columns) => RunChange = reader('change', 'runId');
export const sightingOf: (row: Columns) => Sighting = reader('runId', 'key', 'at');
export const busMessageOf: (row: Columns) => StoredBusMessage = reader('id', 'at', 'source', 'body');
export const lessonOf: (row: Columns) => StoredLesson = reader(
  'repository',
  'id',
  'hash',
  'origin',
  'stamp',
  'updatedAt',
  'title',
  'guidance',
  'words',
  'document',
);

const textsOf = reader('runId', 'title', 'state', 'stage', 'agent', 'repository', 'view');
const numbersOf = reader('createdAt', 'updatedAt', 'progressAt', 'costUsd');

export function rowOf(row: Columns): RunRow {
  const needsPerson = isTrue(row['needs_person']);
  return { ...textsOf(row), ...numbersOf(row), needsPerson, ended: isTrue(row['ended']) };
}

/** SQLite has no booleans. */
function isTrue(value: unknown): boolean {
  return value === true || value === 1;
}

const eventFields = reader('seq', 'at', 'version', 'type', 'fence', 'body');

export function eventOf(runId: string, row: Columns): StoredEvent {
  return { runId, ...eventFields(row) };
}

const commandFields = reader('key', 'type', 'body', 'seq', 'createdAt', 'begunAt');

export function storedCommandOf(runId: string, row: Columns): StoredCommand {
  return { runId, ...commandFields(row), index: row['position'] as number };
}

const timerFields = reader('name', 'dueAt');

export function timerOf(runId: string, row: Columns): Timer {
  return { runId, ...timerFields(row) };
}

const linkFields = reader('id', 'seq', 'kind', 'at', 'salt', 'payload', 'commitment', 'previousHash', 'hash');

export function ledgerEntryOf(runId: string, row: Columns): LedgerEntry {
  return { runId, ...linkFields(row) };
}

const mailFields = reader('id', 'at', 'body');

export function mailboxItemOf(runId: string, row: Columns): MailboxItem {
  return { runId, ...mailFields(row) };
}
