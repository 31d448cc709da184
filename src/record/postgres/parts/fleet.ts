/** `fleet`: holds and sightings of all runs, in PostgreSQL. */
import { changeAt, changedHold, type HoldChange, keyOf } from '../../../core/vocabulary/hold.ts';
import { type FleetRecord, LIFTED_KEPT_MS, SIGHTINGS_KEPT_MS } from '../../contract/fleet.ts';
import { madeHere } from '../../redaction/redacted.ts';
import { holdIn, signedBody } from '../../signed-hold.ts';
import { sightingOf } from '../../stored-rows.ts';
import type { Connection } from '../connection.ts';
import { gathered } from '../gathered.ts';

export function fleet(connection: Connection): FleetRecord {
  const holds = gathered(async () => {
    const found = await connection.read('SELECT body FROM holds ORDER BY key');
    return found.flatMap((row) => holdIn(row['body'] as string, connection.signer) ?? []);
  });
  const sightings = gathered(async (windows: readonly number[]) => {
    const found = await connection.read(
      `SELECT w.ms, s.run_id, s.key, s.at FROM unnest($2::bigint[]) AS w (ms) JOIN sightings s ON s.at > store_now($1) - w.ms
       ORDER BY s.at, s.sighting`,
      [connection.now, windows],
    );
    return Map.groupBy(found, (row) => row['ms'] as number);
  });
  return {
    holds: () => holds(null),

    changeHold: (given: HoldChange) => {
      const change = connection.redacted(given);
      const key = madeHere(keyOf(change));
      return connection.transaction(async (ask) => {
        // A hold that does not exist yet has no row to lock.
        const [clock] = await ask(
          `SELECT store_now($2) AS now FROM (SELECT pg_advisory_xact_lock(hashtextextended('hold:' || $1, 0))) AS locked`,
          [key, connection.now],
        );
        const [row] = await ask('SELECT body FROM holds WHERE key = $1', [key]);
        const before = row === undefined ? null : holdIn(row['body'] as string, connection.signer);
        const next = changedHold(before, changeAt(change, clock?.['now'] as number));
        if (next === null) return null;
        await ask(
          `INSERT INTO holds (key, lifted_at, body) VALUES ($1, $2, $3)
           ON CONFLICT (key) DO UPDATE SET lifted_at = excluded.lifted_at, body = excluded.body`,
          [madeHere(next.key), next.liftedAt, madeHere(signedBody(next, connection.signer))],
        );
        if (next.liftedAt !== null)
          await ask('DELETE FROM holds WHERE lifted_at < $1', [next.liftedAt - LIFTED_KEPT_MS]);
        return next;
      });
    },

    sight: async (sighting) => {
      const { runId, key } = connection.redacted(sighting);
      await connection.write(
        `WITH old AS (DELETE FROM sightings WHERE at < store_now($3) - ${SIGHTINGS_KEPT_MS})
         INSERT INTO sightings (run_id, key, at) VALUES ($1, $2, store_now($3))`,
        [runId, key, connection.now],
      );
    },

    sightings: async (windowMs) => ((await sightings(windowMs)).get(windowMs) ?? []).map(sightingOf),
  };
}
