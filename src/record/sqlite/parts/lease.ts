/**
 * `leases`: the leases of runs in SQLite. A lease is held (by `owner`, until `expires_at` and then until another owner takes it) or free
 * (released). Taking it always raises the fence; only the holder of the present fence may write. A wrong clock can therefore cost a
 * takeover, but never allow two writers.
 */
import type { Lease, LeaseRecord } from '../../contract/lease.ts';
import { madeHere } from '../../redaction/redacted.ts';
import type { Connection } from '../connection.ts';
import { type RunHead, runHead, saveHead } from '../run-head.ts';

export function leases(connection: Connection): LeaseRecord {
  return {
    lease: (runId) =>
      connection.read((): Lease | null => {
        const head = runHead(connection, connection.redacted(runId));
        if (head === null || !head.held) return null;
        const { owner, fence, expiresAt } = head;
        return { runId, owner, fence, expiresAt, expired: expiresAt <= connection.now(), isHere: true };
      }),

    acquireLease: async (ask) => {
      const { runId, owner, ttlMs, observedDeadFence } = connection.redacted(ask);
      const mayTake = (head: RunHead | null): head is RunHead =>
        head !== null &&
        (!head.held || head.expiresAt <= connection.now() || head.fence === observedDeadFence);
      // Most requests are refused; a refusal needs no write lock.
      if (!mayTake(await connection.read(() => runHead(connection, runId)))) return null;
      return connection.write(() => {
        const head = runHead(connection, runId);
        if (!mayTake(head)) return null;
        const fence = head.fence + 1;
        saveHead(connection, { ...head, fence, held: true, owner, expiresAt: connection.now() + ttlMs });
        return fence;
      });
    },

    renewLease: ({ runId, fence, ttlMs }) =>
      connection.write(() => {
        const head = runHead(connection, connection.redacted(runId));
        if (head === null || !head.held || head.fence !== fence) return false;
        saveHead(connection, { ...head, expiresAt: connection.now() + ttlMs });
        return true;
      }),

    releaseLease: (runId, fence) =>
      connection.write(() => {
        const head = runHead(connection, connection.redacted(runId));
        if (head === null || !head.held || head.fence !== fence) return;
        saveHead(connection, { ...head, held: false, owner: madeHere(''), expiresAt: 0 });
      }),
  };
}
