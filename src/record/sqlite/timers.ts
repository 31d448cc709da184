import { checksum } from '../checksum.ts';
import type { RunRecord, Timer, Turn } from '../contract.ts';
import type { Connection } from './connection.ts';

export function changeTimers(connection: Connection, run: number, timers: NonNullable<Turn['timers']>): void {
  for (const name of timers.cancel)
    connection.statement('DELETE FROM timers WHERE run = ? AND name = ?').run(run, name);
  for (const { name, dueAt } of timers.set)
    connection
      .statement('INSERT OR REPLACE INTO timers (run, name, due_at, sum) VALUES (?, ?, ?, ?)')
      .run(run, name, dueAt, checksum(run, name, dueAt));
}

export function timers(connection: Connection): Pick<RunRecord, 'timers' | 'unowned'> {
  return {
    timers: (runId) =>
      connection.read(() =>
        connection
          .statement(
            `SELECT t.name, t.due_at FROM timers t JOIN runs r USING (run) WHERE r.run_id = ? ORDER BY t.due_at, t.name`,
          )
          .all(runId)
          .map((row): Timer => ({ runId, name: row['name'] as string, dueAt: row['due_at'] as number })),
      ),

    /** An expired lease that nobody released is the trace of a dead owner: such a run waits even without a timer. */
    unowned: (now) =>
      connection.read(() =>
        connection
          .statement(
            `SELECT r.run_id FROM runs r JOIN run_rows v USING (run)
             WHERE (r.held = 0 OR r.expires_at <= :now)
               AND ((r.held = 1 AND v.ended = 0)
                 OR EXISTS (SELECT 1 FROM commands c WHERE c.run = r.run AND c.settled = 0)
                 OR EXISTS (SELECT 1 FROM timers t WHERE t.run = r.run AND t.due_at <= :now)
                 OR EXISTS (SELECT 1 FROM mailbox m WHERE m.run = r.run))
             ORDER BY r.run`,
          )
          .all({ now })
          .map((row) => row['run_id'] as string),
      ),
  };
}
