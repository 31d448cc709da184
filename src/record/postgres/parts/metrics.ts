/** `metrics`: the numbers of runs and imported sessions, in PostgreSQL. */
import type { MetricsRecord } from '../../contract/metrics.ts';
import { storable } from '../../storable.ts';
import type { Connection } from '../connection.ts';
import { ON_METRICS_CONFLICT } from '../turn-statement.ts';

export function metrics(connection: Connection): MetricsRecord {
  return {
    metrics: (filter = {}) => {
      const { sinceAt, repository, ids, limit } = connection.redacted(filter);
      return connection.list(
        `SELECT body FROM (
           SELECT id, at, body FROM run_metrics
           WHERE ($1::bigint IS NULL OR at >= $1) AND ($2::text IS NULL OR repository = $2) AND ($4::text[] IS NULL OR id = ANY($4))
           ORDER BY at DESC, id DESC LIMIT $3
         ) AS latest ORDER BY at, id`,
        [sinceAt ?? null, repository ?? null, limit ?? null, ids ?? null],
        (row) => row['body'] as string,
      );
    },

    saveMetrics: async (rows) => {
      const all = connection.redacted(rows);
      await connection.transaction(async (ask) => {
        for (const { id, repository, at, imported, body } of all)
          await ask(
            `INSERT INTO run_metrics (id, repository, at, imported, body) VALUES ($1, $2, $3, $4, $5) ${ON_METRICS_CONFLICT}`,
            [id, repository, at, imported, storable(body)],
          );
      });
    },
  };
}
