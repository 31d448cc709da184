/** `tendBus`, `busTender`: look after tasks of external agents. Every Mayday process may do it; the record accepts the messages of one. */
import type { BusMessage } from '../../core/bus/bus-message.ts';
import type { BusTask } from '../../core/bus/bus-task.ts';
import { judgeTasks } from '../../core/bus/monitor.ts';
import { takenTaskEnd } from '../../core/bus/run-messages.ts';
import type { Policy } from '../../core/vocabulary/policy.ts';
import { MaydayError } from '../../platform/mayday-error.ts';
import type { RunRecord } from '../../record/contract.ts';
import { loadState } from '../load-state.ts';

/** The tasks of one look. The longest running come first; the others wait for a later look. */
const MAX_TASKS = 500;
/** Limits are tens of seconds; looking once a second is soon enough and costs one indexed read. */
const LOOK_EVERY_MS = 1_000;

export async function tendBus(record: RunRecord, policy: Policy, now: number): Promise<void> {
  const say = (task: BusTask, messages: readonly BusMessage[]) =>
    record.publish(
      messages.map((message) => ({ at: now, source: 'monitor', body: JSON.stringify(message) })),
      task,
    );
  const theirs: BusTask[] = [];
  for (const task of await record.runningTasks(MAX_TASKS)) {
    const row = task.runId ? await record.row(task.runId) : null;
    if (row === null) theirs.push(task);
    else if (row.ended) {
      const end = takenTaskEnd(task, await loadState(record, row.runId));
      if (end !== null) await say(task, [end]);
    }
  }
  for (const { task, messages } of judgeTasks(theirs, policy, now)) await say(task, messages);
}

/** For loops: looks at most once a second. An error of the bus is dropped, so that it never harms a run. */
export function busTender(record: RunRecord, policy: Policy): () => Promise<void> {
  let lookedAt = Number.NEGATIVE_INFINITY;
  return async () => {
    if (performance.now() - lookedAt < LOOK_EVERY_MS) return;
    lookedAt = performance.now();
    try {
      await tendBus(record, policy, Date.now());
    } catch (error) {
      // `mayday bus` and `mayday verify` show the error.
      if (!(error instanceof MaydayError)) throw error;
    }
  };
}
