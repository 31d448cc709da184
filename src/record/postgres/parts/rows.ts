/** `rows`: the row of each run that lists show, in PostgreSQL. */
import type { BegunRuns, RowsRecord } from '../../contract/journal.ts';
import type { RedactedText } from '../../redaction/redacted.ts';
import { FINISHED } from './bus-id.ts';
import type { Connection } from '../connection.ts';
import { gathered } from '../gathered.ts';
import { begunRunsOf, ROW_COLUMNS, rowOf, rowsQuery, runChangeOf } from '../../stored-rows.ts';

export function rows(connection: Connection): RowsRecord {
  const found = gathered(async (runIds: readonly RedactedText[]) => {
    const all = await connection.list(
      `SELECT ${ROW_COLUMNS}, view FROM run_rows WHERE run IN (SELECT run FROM runs WHERE run_id = ANY ($1))`,
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
    rows: (filter = {}) => {
      const { sql, values } = rowsQuery(connection.redacted(filter), (number) => `$${number}`, null);
      return connection.list(sql, values, rowOf);
    },
    changes: (after, limit) =>
      connection.list(
        `SELECT change, run_id FROM run_rows WHERE change > $1 AND ${FINISHED.change} ORDER BY change LIMIT $2`,
        [after, limit],
        runChangeOf,
      ),
    lastChange: async () => {
      const [last] = await connection.read(
        `SELECT coalesce(max(change), 0) AS change FROM run_rows WHERE ${FINISHED.change}`,
      );
      return last?.['change'] as number;
    },
    begunSince: async (at) => {
      const sql = `SELECT count(*) AS runs, coalesce(sum(cost_usd), 0) AS cost_usd FROM run_rows WHERE created_at >= $1`;
      return (await connection.list(sql, [at], begunRunsOf))[0] as BegunRuns;
    },
  };
}
