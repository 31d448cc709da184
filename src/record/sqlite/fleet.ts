/** `fleet`: holds and sightings of all runs, in SQLite. */
import { type Hold, type HoldChange, changeAt, changedHold, keyOf } from '../../core/vocabulary/hold.ts';
import type { Sighting } from '../../core/fleet/shared-cause.ts';
import type { FleetRecord } from '../contract/fleet.ts';
import { madeHere, type RedactedText } from '../redaction/redacted.ts';
import type { Connection } from './connection.ts';

/** Lifted holds are needed until the last held run has seen it. */
const LIFTED_KEPT_MS = 24 * 3_600_000;
/** Longer than any window that counts sightings. */
const SIGHTINGS_KEPT_MS = 24 * 3_600_000;

/** Signs the rows that keep other runs waiting, so that one which another program planted does not count. */
export interface RowSigner {
  sign(text: string): string;
  isSigned(text: string, mac: string): boolean;
}

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
          .run(madeHere(next.key), next.liftedAt, madeHere(bodyOf(next, signer)));
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

    sightings: (windowMs, { limit = -1, offset = 0 } = {}) =>
      connection.read(() =>
        connection
          .statement(
            'SELECT run_id, key, at FROM sightings WHERE at > ? ORDER BY at, sighting LIMIT ? OFFSET ?',
          )
          .all(connection.now() - windowMs, limit, offset)
          .map(
            (row): Sighting => ({
              runId: row['run_id'] as string,
              key: row['key'] as string,
              at: row['at'] as number,
            }),
          ),
      ),
  };
}

/** The hold, its signature last. */
function bodyOf(hold: Hold, signer: RowSigner | null): string {
  const text = JSON.stringify(hold);
  return signer === null ? text : JSON.stringify({ ...hold, mac: signer.sign(text) });
}

/** Null: Mayday did not write this row. A row of a version that did not sign is none either: a hold is a hint that time replaces. */
export function holdIn(body: string, signer: RowSigner | null): Hold | null {
  const { mac = '', ...hold } = JSON.parse(body) as Hold & { readonly mac?: string };
  return signer === null || signer.isSigned(JSON.stringify(hold), mac) ? hold : null;
}
