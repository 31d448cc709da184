import { checksum } from '../checksum.ts';
import type { NewCommand, RunRecord, StoredCommand } from '../contract.ts';
import { storable } from '../storable.ts';
import type { Connection } from './connection.ts';
import { runHead } from './leases.ts';

/** States of a command: asked, begun, settled. The row stays when settled, so that its key is never performed again. */
export function addCommand(
  connection: Connection,
  place: { run: number; seq: number; at: number },
  { key, type, body }: NewCommand,
): void {
  const { changes } = connection
    .statement(
      `INSERT INTO commands (run, key, seq, type, created_at, sum, body) VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (run, key) DO NOTHING`,
    )
    .run(
      place.run,
      key,
      place.seq,
      type,
      place.at,
      commandSum(place.run, { key, type, body }),
      storable(body),
    );
  if (changes === 1) return;
  const known = connection
    .statement('SELECT type, body FROM commands WHERE run = ? AND key = ?')
    .get(place.run, key);
  if (known?.['type'] !== type || known['body'] !== body)
    throw new Error(`Command key ${key} was used before for another command.`);
}

export function commandSum(run: number, { key, type, body }: NewCommand): number {
  return checksum(run, key, type, body);
}

export function settleCommand(connection: Connection, run: number, key: string): void {
  const { changes } = connection
    .statement('UPDATE commands SET settled = 1 WHERE run = ? AND key = ?')
    .run(run, key);
  if (changes !== 1) throw new Error(`Command ${key} cannot be settled: it was never asked for.`);
}

export function outbox(connection: Connection): Pick<RunRecord, 'pendingCommands' | 'beginCommand'> {
  return {
    pendingCommands: (runId) =>
      connection.read(() =>
        connection
          .statement(
            `SELECT c.* FROM runs r CROSS JOIN commands c ON c.run = r.run AND c.settled = 0
             WHERE r.run_id = ? ORDER BY c.command`,
          )
          .all(runId)
          .map(
            (row): StoredCommand => ({
              runId,
              key: row['key'] as string,
              type: row['type'] as string,
              body: row['body'] as string,
              seq: row['seq'] as number,
              createdAt: row['created_at'] as number,
              begunAt: row['begun_at'] as number | null,
            }),
          ),
      ),

    beginCommand: ({ runId, key, fence, now }) =>
      connection.write(() => {
        const head = runHead(connection, runId);
        if (head === null || !head.held || head.fence !== fence) return false;
        const { changes } = connection
          .statement('UPDATE commands SET begun_at = ? WHERE run = ? AND key = ? AND settled = 0')
          .run(now, head.run, key);
        return changes === 1;
      }),
  };
}
