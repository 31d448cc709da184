/**
 * `busId`, `FINISHED`: the numbers by which readers follow the bus and the list of runs.
 *
 * A sequence would be given out in another order than the one in which transactions become visible, and a reader could pass a number
 * that appears later. So a message is numbered by its transaction, and a reader is shown only what is older than every transaction that
 * still runs: nothing can appear before it any more. The numbers grow and have gaps.
 */

/** More messages than one turn ever holds. */
const MESSAGES_PER_TRANSACTION = 1024;
export const TRANSACTION = 'pg_current_xact_id()::text::bigint';
/** Every transaction below this one has ended. */
const OLDEST_RUNNING = 'pg_snapshot_xmin(pg_current_snapshot())::text::bigint';

/** `place`: 1, 2, 3... within the transaction. */
export function busId(place: string): string {
  return `${TRANSACTION} * ${MESSAGES_PER_TRANSACTION} + ${place}`;
}

export const FINISHED = {
  change: `change < ${OLDEST_RUNNING}`,
  busId: `id < ${OLDEST_RUNNING} * ${MESSAGES_PER_TRANSACTION}`,
} as const;
