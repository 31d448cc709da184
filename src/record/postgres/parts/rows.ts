/** `rows`: the row of each run that lists show, in PostgreSQL. */
import type { JournalRecord, RunFilter, RunRow } from '../../contract/journal.ts';
import { madeHere, type Redacted, type RedactedText } from '../../redaction/redacted.ts';
import { FINISHED } from './bus-id.ts';
import type { Bound, Connection } from '../connection.ts';
import { gathered } from '../gathered.ts';
import { fieldOf, rowOf, runChangeOf } from '../../stored-rows.ts';

export const ROW_TYPES = {
  run_id: 'text',
  title: 'text',
  state: 'text',
  stage: 'text',
  agent: 'text',
  repository: 'text',
  created_at: 'bigint',
  updated_at: 'bigint',
  progress_at: 'bigint',
  cost_usd: 'double precision',
  needs_person: 'boolean',
  ended: 'boolean',
} as const;
export const ROW_COLUMNS = Object.keys(ROW_TYPES) as readonly (keyof typeof ROW_TYPES)[];

const ROW_FIELDS = ROW_COLUMNS.map((column) => [fieldOf(column) as keyof RunRow, ROW_TYPES[column]] as const);

/** In the order of the columns, each with its type. */
export function rowValues(row: Redacted<RunRow>): readonly (readonly [Bound, string])[] {
  return ROW_FIELDS.map(([field, type]) => [row[field] as Bound, type]);
}

export function rows(connection: Connection): Pick<JournalRecord, 'row' | 'rows' | 'changes'> {
  const found = gathered(async (runIds: readonly RedactedText[]) => {
    const all = await connection.list(
      `SELECT ${ROW_COLUMNS.join(', ')}, view FROM run_rows WHERE run IN (SELECT run FROM runs WHERE run_id = ANY ($1))`,
      [runIds],
      rowOf,
    );
    return new Map(all.map((row) => [row.runId, row]));
  });
  return {
    row: async (runId) => {
      const own = connection.redacted(runId);
      return (await found(own)).get(own) ?? null;
    },
    rows: (filter = {}) => list(connection, connection.redacted(filter)),
    changes: (after, limit) =>
      connection.list(
        `SELECT change, run_id FROM run_rows WHERE change > $1 AND ${FINISHED.change} ORDER BY change LIMIT $2`,
        [after, limit],
        runChangeOf,
      ),
  };
}

/** Runs that need a person first, then live runs, then ended ones; the latest change first in each group. */
function list(connection: Connection, filter: Redacted<RunFilter>): Promise<RunRow[]> {
  const conditions: string[] = [];
  const values: Bound[] = [filter.limit ?? null, filter.offset ?? 0];
  const where = (condition: string, value: Bound | undefined): void => {
    if (value === undefined) return;
    values.push(value);
    conditions.push(`${condition} $${values.length}`);
  };
  where('needs_person =', filter.needsPerson);
  where('ended =', filter.ended);
  where('state =', filter.state);
  where('state <>', filter.listed === true ? madeHere('removed') : undefined);
  where('repository =', filter.repository);
  where('updated_at >=', filter.sinceAt);
  return connection.list(
    `SELECT ${ROW_COLUMNS.join(', ')}, ${filter.withoutView === true ? `''::text` : 'view'} AS view FROM run_rows
     ${conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`}
     ORDER BY needs_person DESC, ended, updated_at DESC, run LIMIT $1 OFFSET $2`,
    values,
    rowOf,
  );
}
