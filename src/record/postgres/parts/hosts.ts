/**
 * `hosts`: the hosts of a fleet in PostgreSQL. The lease is the pin: the holder of a run performs its commands, so that placement is one
 * statement which takes a lease. The server's clock decides who is lost.
 */
import type { ClaimedRun, Host, HostMode, HostsRecord } from '../../contract/hosts.ts';
import { madeHere } from '../../redaction/redacted.ts';
import type { Connection, Row } from '../connection.ts';
import { reader } from '../../stored-rows.ts';
import { newerStore, SCHEMA_VERSION } from '../schema.ts';

/** A page about a host names so many runs; the others are counted. */
const NAMED_RUNS = 50;
/** Claims that count runs of an account or repository come one after the other: the count must see every earlier claim. */
const CLAIM_LOCK = 0x4d415945;

const RUN = '(SELECT run FROM runs WHERE run_id = $1)';

/**
 * Every look has its index. A run that another host has is taken only if it can move, and if that host is lost, in maintenance or never
 * began it. Runs that were begun come before queued ones. A run that has ended is taken for a letter.
 */
const CLAIM = `
  WITH found AS (
    SELECT r.run, r.held, r.owner, r.host, h.name, v.agent FROM runs r JOIN run_rows v USING (run) LEFT JOIN hosts h ON h.id = r.host
    WHERE r.run IN (
        SELECT run FROM run_rows WHERE state = 'queued'
        UNION SELECT run FROM runs WHERE held AND expires_at <= store_now($1)
        UNION SELECT run FROM commands WHERE NOT settled
        UNION SELECT run FROM timers WHERE due_at <= store_now($1)
        UNION SELECT run FROM mailbox)
      AND (NOT v.ended OR r.run IN (SELECT run FROM mailbox)) AND (NOT r.held OR r.expires_at <= store_now($1))
      AND (r.host IS NULL OR r.host = $2 OR r.movable AND
        (v.state = 'queued' OR h.id IS NULL OR h.mode = 'maintenance' OR h.seen_at + h.lease_ms <= store_now($1)))
      AND v.agent = ANY ($5) AND r.labels <@ $6 AND r.run_id <> ALL ($7)
      AND ($8::bigint IS NULL OR $8 > (SELECT count(*) FROM runs x JOIN run_rows y USING (run)
        WHERE x.held AND x.expires_at > store_now($1) AND x.account = $9 AND y.agent = v.agent))
      AND ($10::bigint IS NULL OR $10 > (SELECT count(*) FROM runs x JOIN run_rows y USING (run)
        WHERE x.held AND x.expires_at > store_now($1) AND y.repository = v.repository))
    ORDER BY v.state = 'queued', r.priority DESC, v.created_at, r.run LIMIT 1 FOR UPDATE OF r SKIP LOCKED)
  UPDATE runs r SET fence = r.fence + 1, held = true, owner = $3, expires_at = store_now($1) + $4, host = $2, account = $9
  FROM found WHERE r.run = found.run
  RETURNING r.run_id, r.fence, found.held, found.owner, found.host, found.name`;

export function hosts(connection: Connection, id: string): HostsRecord {
  const own = madeHere(id);
  return {
    id,

    enrol: async (host) => {
      const { name, boot, labels, agents, concurrency, leaseMs } = connection.redacted(host);
      const [row] = await connection.write(
        `INSERT INTO hosts AS h (id, name, boot, incarnation, labels, agents, concurrency, mode, lease_ms, seen_at)
         VALUES ($1, $2, $3, 1, $4, $5, $6, 'working', $8, store_now($7))
         ON CONFLICT (id) DO UPDATE SET name = $2, boot = $3, incarnation = h.incarnation + 1, labels = $4, agents = $5,
           concurrency = $6, lease_ms = $8, seen_at = store_now($7) RETURNING incarnation`,
        [own, name, boot, labels, agents, concurrency, connection.now, leaseMs],
      );
      return row?.['incarnation'] as number;
    },

    beat: async (incarnation) => {
      const [row] = await connection.write(
        `UPDATE hosts SET seen_at = store_now($3) WHERE id = $1 AND incarnation = $2
         RETURNING mode, (SELECT oldest FROM store) AS oldest`,
        [own, incarnation, connection.now],
      );
      // The tables were migrated while this host was at work.
      if (Number(row?.['oldest'] ?? 0) > SCHEMA_VERSION) throw newerStore(connection.address);
      return row === undefined ? null : (row['mode'] as HostMode);
    },

    hosts: async () => {
      const found = await connection.read(
        `SELECT h.*, h.seen_at + h.lease_ms <= store_now($1) AS lost, array(SELECT r.run_id FROM runs r
           WHERE r.host = h.id AND r.held AND r.expires_at > store_now($1) ORDER BY r.run_id LIMIT $2) AS run_ids,
           (SELECT count(*) FROM runs r WHERE r.host = h.id AND r.held AND r.expires_at > store_now($1)) AS runs
         FROM hosts h ORDER BY h.name, h.id`,
        [connection.now, NAMED_RUNS],
      );
      return found.map(hostOf);
    },

    setMode: async (host, mode) => {
      const set = await connection.write('UPDATE hosts SET mode = $2 WHERE id = $1 RETURNING id', [
        connection.redacted(host),
        madeHere(mode),
      ]);
      return set.length === 1;
    },

    claim: async (given) => {
      const { owner, ttlMs, agents, labels, except, perAccount, account, perRepository } =
        connection.redacted(given);
      const limits = [perAccount, account, perRepository];
      const values = [connection.now, own, owner, ttlMs, agents, labels, except, ...limits];
      const counts = perAccount !== null || perRepository !== null;
      const [row] = counts
        ? await connection.transaction(async (query) => {
            await query(`SELECT pg_advisory_xact_lock(${CLAIM_LOCK})::text`);
            return await query(CLAIM, values);
          })
        : await connection.write(CLAIM, values);
      return row === undefined ? null : claimedRun(row, id);
    },

    held: async () => {
      const found = await connection.read(
        'SELECT run_id FROM runs WHERE held AND coalesce(host = $1, true)',
        [own],
      );
      return found.map((row) => row['run_id'] as string);
    },

    offer: async ({ runId, fence, movable, labels, priority }) => {
      await connection.write(
        'UPDATE runs SET movable = $5, labels = $3, priority = $4 WHERE run_id = $1 AND held AND fence = $2',
        [connection.redacted(runId), fence, connection.redacted(labels), priority, movable],
      );
    },

    keepHere: async (runId, fence) => {
      await connection.write('UPDATE runs SET movable = false WHERE run_id = $1 AND held AND fence = $2', [
        connection.redacted(runId),
        fence,
      ]);
    },

    handOver: async (runId, fence) => {
      await connection.write(
        `UPDATE runs SET expires_at = 0 WHERE run_id = $1 AND held AND fence = $2 AND movable`,
        [connection.redacted(runId), fence],
      );
    },

    placeOf: async (runId) => {
      const [row] = await connection.read('SELECT host, movable FROM runs WHERE run_id = $1', [
        connection.redacted(runId),
      ]);
      if (row === undefined) return null;
      return { host: (row['host'] as string | null) ?? id, movable: row['movable'] as boolean };
    },

    saveParcel: async ({ runId, fence, name, body }) => {
      const saved = await connection.write(
        `INSERT INTO parcels (run, name, body) SELECT run, $3, $4 FROM runs WHERE run_id = $1 AND held AND fence = $2
         ON CONFLICT (run, name) DO UPDATE SET body = excluded.body, fetched = false RETURNING run`,
        [connection.redacted(runId), fence, connection.redacted(name), body],
      );
      return saved.length === 1;
    },

    parcels: async (runId) => {
      const found = await connection.read(`SELECT name FROM parcels WHERE run = ${RUN} ORDER BY position`, [
        connection.redacted(runId),
      ]);
      return found.map((row) => row['name'] as string);
    },

    parcel: async (runId, name) => {
      const [row] = await connection.read(`SELECT body FROM parcels WHERE run = ${RUN} AND name = $2`, [
        connection.redacted(runId),
        connection.redacted(name),
      ]);
      return row === undefined ? null : (row['body'] as Buffer);
    },

    deliveries: async () => {
      const found = await connection.read(
        `SELECT r.run_id FROM parcels p JOIN runs r USING (run)
         WHERE NOT p.fetched AND p.name = 'delivery' AND r.origin = $1 ORDER BY p.position`,
        [own],
      );
      return found.map((row) => row['run_id'] as string);
    },

    markFetched: async (runId) => {
      await connection.write(`UPDATE parcels SET fetched = true WHERE run = ${RUN} AND name = 'delivery'`, [
        connection.redacted(runId),
      ]);
    },

    key: async (given) => {
      await connection.write('UPDATE store SET key = $1 WHERE key IS NULL', [madeHere(given)]);
      const [row] = await connection.read('SELECT key FROM store');
      return row?.['key'] as string;
    },
  };
}

function claimedRun(row: Row, id: string): ClaimedRun {
  const host = row['host'] as string | null;
  const isElsewhere = host !== null && host !== id;
  return {
    runId: row['run_id'] as string,
    fence: row['fence'] as number,
    from: row['held'] === true ? (row['owner'] as string) : null,
    left: isElsewhere
      ? { id: host, name: (row['name'] as string | null) ?? host, isLost: row['held'] === true }
      : null,
  };
}

// biome-ignore format: words stand together
const hostOf: (row: Row) => Host = reader(
  'id', 'name', 'boot', 'incarnation', 'labels', 'agents', 'concurrency', 'leaseMs', 'mode', 'seenAt', 'lost',
  'runs', 'runIds',
);
