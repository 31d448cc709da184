/**
 * `leases`: the leases of runs in PostgreSQL. Each question is one statement, and the server's clock decides what is expired. Taking a
 * lease always raises the fence; only the holder of the present fence may write.
 */
import type { Lease, LeaseRecord } from '../../contract/lease.ts';
import type { Connection } from '../connection.ts';
import { SCHEMA_VERSION } from '../schema.ts';

export function leases(connection: Connection): LeaseRecord {
  return {
    lease: async (runId) => {
      const [row] = await connection.read(
        `SELECT owner, fence, expires_at, expires_at <= store_now($2) AS expired, coalesce(host = $3, true) AS here
         FROM runs WHERE run_id = $1 AND held`,
        [connection.redacted(runId), connection.now, connection.host],
      );
      if (row === undefined) return null;
      return {
        runId,
        owner: row['owner'] as string,
        fence: row['fence'] as number,
        expiresAt: row['expires_at'] as number,
        expired: row['expired'] as boolean,
        isHere: row['here'] as boolean,
      } satisfies Lease;
    },

    acquireLease: async (ask) => {
      const { runId, owner, ttlMs, observedDeadFence } = connection.redacted(ask);
      const [row] = await connection.write(
        `UPDATE runs SET fence = fence + 1, held = true, owner = $2, expires_at = store_now($4) + $3, host = coalesce($6, host)
         WHERE run_id = $1 AND (NOT held OR expires_at <= store_now($4) OR fence = $5) AND coalesce(host = $6, true) RETURNING fence`,
        [runId, owner, ttlMs, connection.now, observedDeadFence ?? null, connection.host],
      );
      return row === undefined ? null : (row['fence'] as number);
    },

    /** Not for a keeper that is too old for the tables since they were migrated: an updated host takes the run from it. */
    renewLease: async ({ runId, fence, ttlMs }) => {
      const renewed = await connection.write(
        `UPDATE runs SET expires_at = store_now($4) + $3
         WHERE run_id = $1 AND held AND fence = $2 AND (SELECT oldest FROM store) <= $5 RETURNING run`,
        [connection.redacted(runId), fence, ttlMs, connection.now, SCHEMA_VERSION],
      );
      return renewed.length === 1;
    },

    releaseLease: async (runId, fence) => {
      await connection.write(
        `UPDATE runs SET held = false, owner = '', expires_at = 0 WHERE run_id = $1 AND held AND fence = $2`,
        [connection.redacted(runId), fence],
      );
    },
  };
}
