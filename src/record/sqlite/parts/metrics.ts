/** `metrics`: the numbers of runs and imported sessions, in SQLite. */
import type { RunRow } from '../../contract/journal.ts';
import type { MetricsFilter, MetricsRecord } from '../../contract/metrics.ts';
import { madeHere, type Redacted } from '../../redaction/redacted.ts';
import { storable } from '../../storable.ts';
import type { Connection } from '../connection.ts';

/** Most turns of a run change none of its numbers: then nothing is written. */
const SAVE = `INSERT INTO run_metrics (id, repository, at, imported, body) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET repository = excluded.repository, at = excluded.at, imported = excluded.imported,
  body = excluded.body WHERE body <> excluded.body`;

export function saveRunMetrics(connection: Connection, row: Redacted<RunRow>): void {
  if (row.metrics === undefined) return;
  connection.statement(SAVE).run(row.runId, row.repository, row.createdAt, 0, storable(row.metrics));
}

export function metrics(connection: Connection): MetricsRecord {
  return {
    metrics: (filter = {}) => connection.read(() => list(connection, connection.redacted(filter))),
    saveMetrics: (rows) =>
      connection.write(() => {
        for (const { id, repository, at, imported, body } of connection.redacted(rows))
          connection.statement(SAVE).run(id, repository, at, imported ? 1 : 0, storable(body));
      }),
  };
}

function list(
  connection: Connection,
  { sinceAt, repository, ids, limit }: Redacted<MetricsFilter>,
): string[] {
  const conditions = [
    ...(sinceAt === undefined ? [] : ['at >= ?']),
    ...(repository === undefined ? [] : ['repository = ?']),
    ...(ids === undefined ? [] : ['id IN (SELECT value FROM json_each(?))']),
  ];
  const named = ids === undefined ? undefined : madeHere(JSON.stringify(ids));
  const values = [sinceAt, repository, named, limit].filter((value) => value !== undefined);
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
  const sql =
    limit === undefined
      ? `SELECT body FROM run_metrics ${where} ORDER BY at`
      : `SELECT body FROM (SELECT at, body FROM run_metrics ${where} ORDER BY at DESC LIMIT ?) ORDER BY at`;
  return connection
    .statement(sql)
    .all(...values)
    .map((row) => row['body'] as string);
}
