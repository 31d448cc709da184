/** `publishMessage`: publishes a message of an external agent on the bus. It refuses a second end of a task, and tasks that are runs. */
import type { BusMessage } from '../../core/bus/bus-message.ts';
import { type BusTask, isOver } from '../../core/bus/bus-task.ts';
import { usageError } from '../../platform/mayday-error.ts';
import type { RunRecord } from '../../record/contract.ts';
import type { Redactor } from '../../record/redaction/redact.ts';

/** How often to try when other processes publish about the same task in the same moment. */
const TRIES = 20;

/** Returns the id of the message in the stream. */
export async function publishMessage(
  record: RunRecord,
  redactor: Redactor,
  message: BusMessage,
  now: number,
): Promise<number> {
  const said = redactor.redactDeep(message);
  const taskId = 'task_id' in said ? said.task_id : null;
  if (taskId !== null && (await record.row(taskId)) !== null)
    throw usageError('TASK_OF_A_RUN', `${taskId} is a run of Mayday, which speaks for itself`, [
      ['did', 'nothing was published'],
      ['do', `mayday show ${taskId}; mayday stop ${taskId}; use another task_id for work of your own`],
    ]);
  const messages = [{ at: now, source: 'external' as const, body: JSON.stringify(said) }];
  for (let tries = 0; tries < TRIES; tries += 1) {
    if (taskId === null) return (await record.publish(messages))?.[0] ?? 0;
    const { agent_id: agentId } = said;
    const task = await record.busTask(agentId, taskId);
    if (said.type === 'TASK_UPDATE' && task?.runId && !isOver(task)) throw takenOver(task, task.runId);
    if (said.type === 'TASK_UPDATE' && task !== null && isOver(task) && isOver(said)) throw overAlready(task);
    const ids = await record.publish(messages, { agentId, taskId, latestId: task?.latestId ?? 0 });
    if (ids !== null) return ids[0] ?? 0;
  }
  throw usageError('BUS_CROWDED', `too many speak about task ${taskId} at once`, [
    ['did', 'nothing of this message was published'],
    ['do', 'publish it again; one agent should speak for one task'],
  ]);
}

/** Two processes that speak for one task would contradict each other. */
function takenOver({ taskId, agentId }: BusTask, runId: string) {
  return usageError('TASK_TAKEN_OVER', `run ${runId} does task ${taskId} of ${agentId} again`, [
    ['did', 'nothing was published'],
    ['do', `mayday watch ${runId}; mayday stop ${runId}; its end is published as the end of the task`],
  ]);
}

/** Each try of a task ends once: a late message must not change an end that other agents have acted on. */
function overAlready({ taskId, agentId, status, error }: BusTask) {
  return usageError(
    'TASK_OVER',
    `task ${taskId} of ${agentId} is ${status} already${error === null ? '' : ` (${error})`}`,
    [
      ['did', 'nothing was published'],
      ['do', 'a new try begins with status RUNNING'],
    ],
  );
}
