/** `rows`: the row of each run that lists show, in PostgreSQL. */
import type { JournalRecord, RunFilter, RunRow } from '../../contract/journal.ts';
import { madeHere, type Redacted } from '../../redaction/redacted.ts';
import { FINISHED } from './bus-id.ts';
import type { Bound, Connection } from '../connection.ts';
import { rowOf } from '../../stored-rows.ts';

export const ROW_COLUMNS = [
  'run_id',
  'title',
  'state',
  'stage',
  'agent',
  'repository',
  'created_at',
  'updated_at',
  'progress_at',
  'cost_usd',
  'needs_person',
  'ended',
] as const;

/** In the order of the columns, each with its type. */
export function rowValues(row: Redacted<RunRow>): readonly (readonly [Bound, string])[] {
  return [
    [row.runId, 'text'],
    [row.title, 'text'],
    [row.state, 'text'],
    [row.stage, 'text'],
    [row.agent, 'text'],
    [row.repository, 'text'],
    [row.createdAt, 'bigint'],
    [row.updatedAt, 'bigint'],
    [row.progressAt, 'bigint'],
    [row.costUsd, 'double precision'],
    [row.needsPerson, 'boolean'],
    [row.ended, 'boolean'],
  ];
}

export function rows(connection: Connection): Pick<JournalRecord, 'row' | 'rows' | 'changes'> {
  return {
    row: async (runId) => {
      const [row] = await connection.read(
        `SELECT ${ROW_COLUMNS.join(', ')}, view FROM run_rows WHERE run = (SELECT run FROM runs WHERE run_id = $1)`,
        [connection.redacted(runId)],
      );
      return row === undefined ? null : rowOf(row);
    },
    rows: (filter = {}) => list(connection, connection.redacted(filter)),
    changes: async (after, limit) => {
      const found = await connection.read(
        `SELECT change, run_id FROM run_rows WHERE change > $1 AND ${FINISHED.change} ORDER BY change LIMIT $2`,
        [after, limit],
      );
      return found.map((row) => ({ change: row['change'] as number, runId: row['run_id'] as string }));
    },
  };
}

/** Runs that need a person first, then live runs, then ended ones; the latest change first in each group. */
async function list(connection: Connection, filter: Redacted<RunFilter>): Promise<RunRow[]> {
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
  const found = await connection.read(
    `SELECT ${ROW_COLUMNS.join(', ')}, ${filter.withoutView === true ? `''::text` : 'view'} AS view FROM run_rows
     ${conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`}
     ORDER BY needs_person DESC, ended, updated_at DESC, run LIMIT $1 OFFSET $2`,
    values,
  );
  return found.map(rowOf);
}
