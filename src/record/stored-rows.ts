/** `rowOf`, `eventOf`, `lessonOf`...: read a row of each table; both stores name their columns alike. `rowsQuery`: lists rows of runs. */
import type { Sighting } from '../core/fleet/shared-cause.ts';
import type { StoredBusMessage } from './contract/bus.ts';
import type { BegunRuns, RunChange, RunFilter, RunRow, StoredEvent } from './contract/journal.ts';
import type { LedgerEntry } from './contract/ledger.ts';
import type { StoredLesson } from './contract/lessons.ts';
import type { MailboxItem } from './contract/outbox.ts';
import type { StoredCommand, Timer } from './contract/outbox.ts';
import { madeHere, type Redacted, type RedactedText } from './redaction/redacted.ts';

type Columns = Readonly<Record<string, unknown>>;

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

export const begunRunsOf: (row: Columns) => BegunRuns = reader('runs', 'costUsd');
export const runChangeOf: (row: Columns) => RunChange = reader('change', 'runId');
export const sightingOf: (row: Columns) => Sighting = reader('runId', 'key', 'at');
export const busMessageOf: (row: Columns) => StoredBusMessage = reader('id', 'at', 'source', 'body');
// biome-ignore format: words stand together
export const lessonOf: (row: Columns) => StoredLesson = reader(
  'repository', 'id', 'hash', 'origin', 'stamp', 'updatedAt', 'title', 'guidance', 'words', 'document',
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

/** The columns of `run_rows` beside `view`, with their types in PostgreSQL. */
// biome-ignore format: words stand together
export const ROW_TYPES = {
  run_id: 'text', title: 'text', state: 'text', stage: 'text', agent: 'text', repository: 'text',
  created_at: 'bigint', updated_at: 'bigint', progress_at: 'bigint', cost_usd: 'double precision',
  needs_person: 'boolean', ended: 'boolean',
} as const;
export const ROW_COLUMNS = Object.keys(ROW_TYPES).join(', ');
const ROW_FIELDS = Object.keys(ROW_TYPES).map(
  // `created_at` is `createdAt`.
  (column) =>
    column.replaceAll(/_[a-z]/g, (letter) => letter.slice(1).toUpperCase()) as Exclude<
      keyof RunRow,
      'metrics'
    >,
);

/** In the order of the columns. */
export function rowValues<T extends RunRow>(row: T): (T['title'] | number | boolean)[] {
  return ROW_FIELDS.map((field) => row[field]);
}

/**
 * Runs that need a person first, then live runs, then ended ones; the latest change first in each group. `place`: how the store writes
 * the place of a value. The first two values are the limit and the offset; `unlimited` stands for no limit.
 */
export function rowsQuery<None>(
  filter: Redacted<RunFilter>,
  place: (number: number) => string,
  unlimited: None,
): { readonly sql: string; readonly values: (RedactedText | number | boolean | None)[] } {
  const values: (RedactedText | number | boolean | None)[] = [filter.limit ?? unlimited, filter.offset ?? 0];
  const conditions = [
    ['needs_person =', filter.needsPerson],
    ['ended =', filter.ended],
    ['state =', filter.state],
    ['state <>', filter.listed === true ? madeHere('removed') : undefined],
    ['repository =', filter.repository],
    ['updated_at >=', filter.sinceAt],
  ] as const;
  const where = conditions.flatMap(([condition, value]) =>
    value === undefined ? [] : `${condition} ${place(values.push(value))}`,
  );
  // Views are most of what a list would send; SQLite does not even touch the pages that hold them.
  const sql = `SELECT ${ROW_COLUMNS}, ${filter.withoutView === true ? `CAST('' AS text)` : 'view'} AS view FROM run_rows
    ${where.length === 0 ? '' : `WHERE ${where.join(' AND ')}`}
    ORDER BY needs_person DESC, ended, updated_at DESC, run LIMIT ${place(1)} OFFSET ${place(2)}`;
  return { sql, values };
}

type OfRun<T> = (runId: string, row: Columns) => T;

/** The same for rows that know their run by its number only. */
function ofRun<Field extends string>(
  ...fields: readonly Field[]
): OfRun<Record<Field, never> & { readonly runId: string }> {
  const read = reader(...fields);
  return (runId, row) => ({ runId, ...read(row) });
}

export const eventOf: OfRun<StoredEvent> = ofRun('seq', 'at', 'version', 'type', 'fence', 'body');
export const timerOf: OfRun<Timer> = ofRun('name', 'dueAt');
export const mailboxItemOf: OfRun<MailboxItem> = ofRun('id', 'at', 'body');
// biome-ignore format: words stand together
export const ledgerEntryOf: OfRun<LedgerEntry> = ofRun(
  'id', 'seq', 'kind', 'at', 'salt', 'payload', 'commitment', 'previousHash', 'hash',
);

const commandFields = reader('key', 'type', 'body', 'seq', 'createdAt', 'begunAt');

export function storedCommandOf(runId: string, row: Columns): StoredCommand {
  return { runId, ...commandFields(row), index: row['position'] as number };
}
