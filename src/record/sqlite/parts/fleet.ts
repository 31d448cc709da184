/** `fleet`: holds and sightings of all runs, in SQLite. */
import { type Hold, type HoldChange, changeAt, changedHold, keyOf } from '../../../core/vocabulary/hold.ts';
import { type FleetRecord, LIFTED_KEPT_MS, SIGHTINGS_KEPT_MS } from '../../contract/fleet.ts';
import { madeHere, type RedactedText } from '../../redaction/redacted.ts';
import { holdIn, signedBody } from '../../signed-hold.ts';
import { sightingOf } from '../../stored-rows.ts';
import type { Connection } from '../connection.ts';

export function fleet(connection: Connection): FleetRecord {
  const { signer } = connection;
  const hold = (key: RedactedText): Hold | null => {
    const row = connection.statement('SELECT body FROM holds WHERE key = ?').get(key);
    return row === undefined ? null : holdIn(row['body'] as string, signer);
  };
  return {
    holds: () =>
      connection.read(() =>
        connection
          .statement('SELECT body FROM holds ORDER BY key')
          .all()
          .flatMap((row) => holdIn(row['body'] as string, signer) ?? []),
      ),

    changeHold: (given: HoldChange) =>
      connection.write(() => {
        const change = connection.redacted(given);
        const next = changedHold(hold(madeHere(keyOf(change))), changeAt(change, connection.now()));
        if (next === null) return null;
        connection
          .statement('INSERT OR REPLACE INTO holds (key, lifted_at, body) VALUES (?, ?, ?)')
          .run(madeHere(next.key), next.liftedAt, madeHere(signedBody(next, signer)));
        if (next.liftedAt !== null)
          connection.statement('DELETE FROM holds WHERE lifted_at < ?').run(next.liftedAt - LIFTED_KEPT_MS);
        return next;
      }),

    sight: (sighting) =>
      connection.write(() => {
        const { runId, key } = connection.redacted(sighting);
        const at = connection.now();
        connection.statement('INSERT INTO sightings (run_id, key, at) VALUES (?, ?, ?)').run(runId, key, at);
        connection.statement('DELETE FROM sightings WHERE at < ?').run(at - SIGHTINGS_KEPT_MS);
      }),

    sightings: (windowMs) =>
      connection.list(
        'SELECT run_id, key, at FROM sightings WHERE at > ? ORDER BY at, sighting',
        [connection.now() - windowMs],
        sightingOf,
      ),
  };
}
