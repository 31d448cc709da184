/** Looking after tasks of external agents. Any process of Mayday that happens to live does it; the record lets one be heard. */
import { judgeTasks } from '../../core/bus/monitor.ts';
import type { Policy } from '../../core/vocabulary/policy.ts';
import { MaydayError } from '../../platform/mayday-error.ts';
import type { RunRecord } from '../../record/contract.ts';
import { homePolicyOrDefault } from '../request/home-policy.ts';

/** The longest running come first; the rest is looked at next time. */
const MAX_TASKS = 500;
/** Limits are tens of seconds; looking once a second is soon enough and costs one indexed read. */
const LOOK_EVERY_MS = 1_000;

export async function tendBus(record: RunRecord, policy: Policy, now: number): Promise<void> {
  for (const { task, messages } of judgeTasks(await record.runningTasks(MAX_TASKS), policy, now)) {
    await record.publish(
      messages.map((message) => ({ at: now, source: 'monitor', body: JSON.stringify(message) })),
      task,
    );
  }
}

/** For loops: looks at most once a second. The bus is a bystander, so that its trouble never harms a run. */
export function busTender(home: string, record: RunRecord): () => Promise<void> {
  const policy = homePolicyOrDefault(home);
  let lookedAt = Number.NEGATIVE_INFINITY;
  return async () => {
    if (performance.now() - lookedAt < LOOK_EVERY_MS) return;
    lookedAt = performance.now();
    try {
      await tendBus(record, policy, Date.now());
    } catch (error) {
      // It shows where the bus is read (`mayday bus`, `mayday verify`).
      if (!(error instanceof MaydayError)) throw error;
    }
  };
}
