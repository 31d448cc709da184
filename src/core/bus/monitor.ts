/** `judgeTasks`: tasks of external agents: RUNNING past the limit is told to stop; after the grace period it has failed. */
import type { Policy } from '../vocabulary/policy.ts';
import type { BusMessage, Scoring } from './bus-message.ts';
import type { BusTask } from './bus-task.ts';

export const UNRESPONSIVE = 'Agent unresponsive timeout';

const NO_SCORING: Omit<Scoring, 'duration_ms'> = {
  checks_passed: null,
  checks_total: null,
  attempts: null,
  tokens: null,
  cost_usd: null,
};

export interface MonitorVerdict {
  /** To be said only if this is still all that is known about the task. */
  readonly task: BusTask;
  readonly messages: readonly BusMessage[];
}

export function judgeTasks(
  tasks: readonly BusTask[],
  policy: Pick<Policy, 'bus_task_limit_ms' | 'bus_stop_grace_ms'>,
  now: number,
): readonly MonitorVerdict[] {
  return tasks.flatMap((task) => {
    const messages = verdict(task, policy, now);
    return messages.length === 0 ? [] : [{ task, messages }];
  });
}

function verdict(
  { agentId, taskId, status, runningSince, stop, startedAt = null, scoring = null }: BusTask,
  policy: Pick<Policy, 'bus_task_limit_ms' | 'bus_stop_grace_ms'>,
  now: number,
): readonly BusMessage[] {
  if (status !== 'RUNNING' || runningSince === null) return [];
  const about = { agent_id: agentId, task_id: taskId };
  if (stop === null) {
    if (now - runningSince < policy.bus_task_limit_ms) return [];
    const reason = `still RUNNING after its limit of ${Math.round(policy.bus_task_limit_ms / 1000)} s`;
    return [
      { type: 'CRITICAL', ...about, reason },
      { type: 'STOP_AGENT', ...about, reason, deadline_ms: policy.bus_stop_grace_ms },
    ];
  }
  if (now < stop.at + stop.deadlineMs) return [];
  return [
    {
      type: 'TASK_UPDATE',
      task_id: taskId,
      agent_id: agentId,
      status: 'FAILED',
      error: UNRESPONSIVE,
      started_at: startedAt ?? new Date(runningSince).toISOString(),
      completed_at: new Date(now).toISOString(),
      result_status: 'FAILURE',
      scoring: { ...(scoring ?? NO_SCORING), duration_ms: now - runningSince },
    },
    {
      type: 'AGENT_FLAGGED',
      agent_id: agentId,
      reason: [
        `${UNRESPONSIVE}: task ${taskId} was RUNNING for ${Math.round((now - runningSince) / 1000)} s`,
        'and did not end when told to stop',
      ].join(' '),
    },
  ];
}
