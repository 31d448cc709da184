/** `rows`, `saveRow`: the row of each run that lists show, in SQLite. */
import { checksum } from '../../checksum.ts';
import type { BegunRuns, RowsRecord, RunRow } from '../../contract/journal.ts';
import type { Redacted } from '../../redaction/redacted.ts';
import type { Connection } from '../connection.ts';
import {
  begunRunsOf,
  ROW_COLUMNS,
  ROW_TYPES,
  rowOf,
  rowsQuery,
  rowValues,
  runChangeOf,
} from '../../stored-rows.ts';

/** An update in place: replacing the row would write its index again even where nothing in it changed. */
const SAVE = `INSERT INTO run_rows (run, ${ROW_COLUMNS}, sum, view, change)
  VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?, (SELECT coalesce(max(change), 0) + 1 FROM run_rows))
  ON CONFLICT (run) DO UPDATE SET ${[...Object.keys(ROW_TYPES), 'sum', 'view', 'change']
    .map((name) => `${name} = excluded.${name}`)
    .join(', ')}`;

const LAST_CHANGE = 'SELECT coalesce(max(change), 0) AS change FROM run_rows';
/** What did not change since then did not begin since then; the index of lists finds the rest, if its first columns are named too. */
const BEGUN_SINCE = `SELECT count(*) AS runs, total(cost_usd) AS cost_usd FROM run_rows
  WHERE needs_person IN (0, 1) AND ended IN (0, 1) AND updated_at >= ?1 AND created_at >= ?1`;

export function saveRow(connection: Connection, run: number, row: Redacted<RunRow>): void {
  connection.statement(SAVE).run(run, ...columns(row), rowSum(row), row.view);
}

function columns<T extends RunRow>(row: T): (T['title'] | number)[] {
  return rowValues(row).map((value) => withoutBoolean(value));
}

function withoutBoolean<T>(value: T | boolean): T | number {
  return typeof value === 'boolean' ? Number(value) : value;
}

export function rowSum(row: RunRow): number {
  return checksum(...columns(row), row.view);
}

export function rows(connection: Connection): RowsRecord {
  return {
    row: (runId) =>
      connection.read(() => {
        const row = connection
          .statement(
            `SELECT ${ROW_COLUMNS}, view FROM run_rows WHERE run = (SELECT run FROM runs WHERE run_id = ?)`,
          )
          .get(connection.redacted(runId));
        return row === undefined ? null : rowOf(row);
      }),
    rows: (filter = {}) => {
      const { sql, values } = rowsQuery(connection.redacted(filter), (number) => `?${number}`, -1);
      return connection.list(sql, values.map(withoutBoolean), rowOf);
    },
    changes: (after, limit) =>
      connection.list(
        'SELECT change, run_id FROM run_rows WHERE change > ? ORDER BY change LIMIT ?',
        [after, limit],
        runChangeOf,
      ),
    lastChange: () => connection.read(() => connection.statement(LAST_CHANGE).get()?.['change'] as number),
    begunSince: async (at) => (await connection.list(BEGUN_SINCE, [at], begunRunsOf))[0] as BegunRuns,
  };
}
