/** `rows`, `saveRow`: the row of each run that lists show, in SQLite. */
import { checksum } from '../../checksum.ts';
import type { JournalRecord, RunFilter, RunRow } from '../../contract/journal.ts';
import { madeHere, type Redacted, type RedactedText } from '../../redaction/redacted.ts';
import type { Connection } from '../connection.ts';
import { rowOf, runChangeOf } from '../../stored-rows.ts';

const COLUMNS = `run_id, title, state, stage, agent, repository, created_at, updated_at, progress_at, cost_usd,
  needs_person, ended`;

/** An update in place: replacing the row would write its index again even where nothing in it changed. */
const SAVE = `INSERT INTO run_rows (run, ${COLUMNS}, sum, view, change)
  VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?, (SELECT coalesce(max(change), 0) + 1 FROM run_rows))
  ON CONFLICT (run) DO UPDATE SET ${[...COLUMNS.split(/,\s+/), 'sum', 'view', 'change']
    .map((name) => `${name} = excluded.${name}`)
    .join(', ')}`;

export function saveRow(connection: Connection, run: number, row: Redacted<RunRow>): void {
  connection.statement(SAVE).run(run, ...columns(row), rowSum(row), row.view);
}

function columns<T extends RunRow>(row: T): (T['title'] | number)[] {
  return [
    row.runId,
    row.title,
    row.state,
    row.stage,
    row.agent,
    row.repository,
    row.createdAt,
    row.updatedAt,
    row.progressAt,
    row.costUsd,
    row.needsPerson ? 1 : 0,
    row.ended ? 1 : 0,
  ];
}

export function rowSum(row: RunRow): number {
  return checksum(...columns(row), row.view);
}

export function rows(connection: Connection): Pick<JournalRecord, 'row' | 'rows' | 'changes'> {
  return {
    row: (runId) =>
      connection.read(() => {
        const row = connection
          .statement(
            `SELECT ${COLUMNS}, view FROM run_rows WHERE run = (SELECT run FROM runs WHERE run_id = ?)`,
          )
          .get(connection.redacted(runId));
        return row === undefined ? null : rowOf(row);
      }),
    rows: (filter = {}) => list(connection, connection.redacted(filter)),
    changes: (after, limit) =>
      connection.list(
        'SELECT change, run_id FROM run_rows WHERE change > ? ORDER BY change LIMIT ?',
        [after, limit],
        runChangeOf,
      ),
  };
}

/** Runs that need a person first, then live runs, then ended ones; the latest change first in each group. */
function list(connection: Connection, filter: Redacted<RunFilter>): Promise<RunRow[]> {
  const conditions: string[] = [];
  const values: (RedactedText | number)[] = [];
  const where = (condition: string, value: RedactedText | number | boolean | undefined): void => {
    if (value === undefined) return;
    conditions.push(condition);
    values.push(typeof value === 'boolean' ? Number(value) : value);
  };
  where('needs_person = ?', filter.needsPerson);
  where('ended = ?', filter.ended);
  where('state = ?', filter.state);
  where('state != ?', filter.listed === true ? madeHere('removed') : undefined);
  where('repository = ?', filter.repository);
  where('updated_at >= ?', filter.sinceAt);
  // A list without views does not touch the pages that hold them.
  const sql = `SELECT ${COLUMNS}, ${filter.withoutView === true ? `''` : 'view'} AS view FROM run_rows
    ${conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`}
    ORDER BY needs_person DESC, ended, updated_at DESC, run LIMIT ? OFFSET ?`;
  return connection.list(sql, [...values, filter.limit ?? -1, filter.offset ?? 0], rowOf);
}
