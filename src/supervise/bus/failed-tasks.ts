/** `failedTasks`: the tasks of external agents whose last word is FAILED, each with a diagnosis of its error. */
import type { BusMessage } from '../../core/bus/bus-message.ts';
import { type BusTask, foldTask } from '../../core/bus/bus-task.ts';
import { oneLine } from '../../core/text/quote-fenced.ts';
import type { RunRecord } from '../../record/contract.ts';

/** Older messages are history: nobody acts on a failure that this many messages followed. */
const MESSAGES_READ = 5_000;
const PAGE = 500;
const MOST = 50;

export interface FailedTask {
  readonly agent_id: string;
  readonly task_id: string;
  readonly at: string;
  readonly class: string;
  readonly category: string;
  readonly root_cause: string;
  readonly suggested_action: string;
}

/** A new try of the task, or a person who clears its agent, ends it. Latest first. */
export async function failedTasks(record: RunRecord): Promise<readonly FailedTask[]> {
  const tasks = new Map<string, { readonly task: BusTask; readonly at: number }>();
  let last = Math.max(0, (await record.lastMessage()) - MESSAGES_READ);
  for (;;) {
    const page = await record.messages(last, PAGE);
    for (const { id, at, source, body } of page) {
      const message = JSON.parse(body) as BusMessage;
      if (message.type === 'AGENT_CLEARED')
        for (const [key, { task }] of tasks) if (task.agentId === message.agent_id) tasks.delete(key);
      const taskId = 'task_id' in message ? message.task_id : null;
      if (taskId === null) continue;
      const key = JSON.stringify([message.agent_id, taskId]);
      const task = foldTask(tasks.get(key)?.task ?? null, { id, at, source, message });
      if (task !== null) tasks.set(key, { task, at });
    }
    last = page.at(-1)?.id ?? last;
    if (page.length < PAGE) break;
  }
  const failed: FailedTask[] = [];
  for (const { task, at } of [...tasks.values()].toSorted((a, b) => b.at - a.at)) {
    if (task.status !== 'FAILED' || failed.length >= MOST) continue;
    // The run that took a task over tells itself how it stands and how it ended.
    if (task.runId && (await record.row(task.runId)) !== null) continue;
    failed.push(await explained(task, at));
  }
  return failed;
}

/** The rules of the diagnosis are loaded when a task failed: most lists have none. */
async function explained({ agentId, taskId, error }: BusTask, at: number): Promise<FailedTask> {
  const { diagnose } = await import('../../core/diagnose/diagnose.ts');
  const { failureType, category, rootCause, recoveryPlan, humanInstructions } = diagnose({
    output: error ?? '',
    exitCode: 1,
    nowMs: at,
  });
  return {
    agent_id: agentId,
    task_id: taskId,
    at: new Date(at).toISOString(),
    class: failureType,
    category,
    // Where no rule knows the error, its own words say more than ours about an exit code that is not known.
    root_cause: failureType === 'unknown' ? oneLine(error ?? '') : rootCause,
    suggested_action: recoveryPlan ?? humanInstructions ?? 'look at the error',
  };
}
