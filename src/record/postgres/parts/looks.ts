/** `looks`: what keepers look for, in PostgreSQL: one statement for all runs of a host. */
import type { LooksRecord, RunLook } from '../../contract/looks.ts';
import type { RedactedText } from '../../redaction/redacted.ts';
import { mailboxItemOf, storedCommandOf, timerOf } from '../../stored-rows.ts';
import type { Connection, Row } from '../connection.ts';
import { fromStored } from '../exact-text.ts';
import { gathered } from '../gathered.ts';

const NOTHING: RunLook = { mail: [], timers: [], command: null };

export function looks(connection: Connection): LooksRecord {
  const ask = gathered(async (runIds: readonly RedactedText[]) => {
    const found = await connection.list(
      `SELECT r.run_id,
         (SELECT json_agg(m ORDER BY m.id) FROM mailbox m WHERE m.run = r.run)::text AS mail,
         (SELECT json_agg(t ORDER BY t.due_at, t.name) FROM timers t WHERE t.run = r.run)::text AS timers,
         (SELECT json_agg(c) FROM (SELECT * FROM commands WHERE run = r.run AND NOT settled
           ORDER BY seq, position LIMIT 1) c)::text AS commands
       FROM runs r WHERE r.run_id = ANY ($1)`,
      [runIds],
      lookOf,
    );
    return new Map(found);
  });
  return {
    look: async (runId) => {
      const own = connection.redacted(runId);
      return (await ask(own)).get(own) ?? NOTHING;
    },
  };
}

function lookOf(row: Row): readonly [runId: string, RunLook] {
  const runId = row['run_id'] as string;
  const [command = null] = rowsIn(row['commands']).map((each) => storedCommandOf(runId, each));
  const mail = rowsIn(row['mail']).map((each) => mailboxItemOf(runId, each));
  return [runId, { mail, timers: rowsIn(row['timers']).map((each) => timerOf(runId, each)), command }];
}

function rowsIn(json: unknown): readonly Row[] {
  if (json === null) return [];
  return JSON.parse(json as string, (_name, value: unknown) =>
    typeof value === 'string' ? fromStored(value) : value,
  ) as readonly Row[];
}
