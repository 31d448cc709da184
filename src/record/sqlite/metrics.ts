import type { MetricsFilter, MetricsRow, RunRecord, RunRow } from '../contract.ts';
import { storable } from '../storable.ts';
import type { Connection } from './connection.ts';

/** Most turns of a run change none of its numbers: then nothing is written. */
const SAVE = `INSERT INTO run_metrics (id, repository, at, imported, body) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET repository = excluded.repository, at = excluded.at, imported = excluded.imported,
  body = excluded.body WHERE body <> excluded.body`;

export function saveRunMetrics(connection: Connection, row: RunRow): void {
  if (row.metrics === undefined) return;
  connection.statement(SAVE).run(row.runId, row.repository, row.createdAt, 0, storable(row.metrics));
}

export function metrics(connection: Connection): Pick<RunRecord, 'metrics' | 'saveMetrics'> {
  return {
    metrics: (filter = {}) => connection.read(() => list(connection, filter)),
    saveMetrics: (rows) =>
      connection.write(() => {
        for (const { id, repository, at, imported, body } of rows)
          connection.statement(SAVE).run(id, repository, at, imported ? 1 : 0, storable(body));
      }),
  };
}

function list(connection: Connection, { sinceAt, repository, limit }: MetricsFilter): MetricsRow[] {
  const found = connection
    .statement(
      `SELECT id, repository, at, imported, body FROM run_metrics
       WHERE at >= ?1 AND (?2 IS NULL OR repository = ?2) ORDER BY at DESC LIMIT ?3`,
    )
    .all(sinceAt ?? Number.MIN_SAFE_INTEGER, repository ?? null, limit ?? -1);
  return found.reverse().map((row) => ({
    id: row['id'] as string,
    repository: row['repository'] as string,
    at: row['at'] as number,
    imported: row['imported'] === 1,
    body: row['body'] as string,
  }));
}
