/**
 * `BusTask`: a task of an external agent, folded from the bus: PENDING -> RUNNING -> COMPLETED | FAILED, and RUNNING again for another
 * try. Each agent's messages about a task are kept apart.
 */
import type { BusEntry, Scoring, TaskStatus } from './bus-message.ts';

export interface BusTask {
  readonly agentId: string;
  readonly taskId: string;
  readonly status: TaskStatus;
  readonly error: string | null;
  /** When it was first said to be RUNNING, by Mayday's own clock: agents may be wrong about theirs. */
  readonly runningSince: number | null;
  /** What the task's own updates said in this stretch; absent in records of older versions. */
  readonly startedAt?: string | null;
  readonly scoring?: Scoring | null;
  readonly command?: string | null;
  readonly checks?: readonly string[];
  readonly fallback?: readonly string[];
  /** The run of Mayday that took the task over in this stretch. */
  readonly runId?: string | null;
  /** Told to stop in this stretch, by the monitor. */
  readonly stop: { readonly at: number; readonly deadlineMs: number } | null;
  /** The id of the latest message about it, to publish only if nothing newer was said. */
  readonly latestId: number;
}

/** Null: the message is not about a task of an external agent. */
export function foldTask(before: BusTask | null, { id, at, source, message }: BusEntry): BusTask | null {
  if (source === 'run') return null;
  switch (message.type) {
    case 'TASK_UPDATE': {
      const { agent_id: agentId, task_id: taskId, status, error } = message;
      const goesOn = status === 'RUNNING' && before?.status === 'RUNNING';
      const isTry = before?.status === 'RUNNING' || before?.status === 'PENDING';
      const kept = isTry ? before : null;
      return {
        agentId,
        taskId,
        status,
        error,
        startedAt: message.started_at ?? kept?.startedAt ?? null,
        scoring: message.scoring ?? kept?.scoring ?? null,
        command: message.command ?? before?.command ?? null,
        checks: message.checks ?? before?.checks ?? [],
        fallback: message.fallback ?? before?.fallback ?? [],
        runId: message.run_id ?? null,
        runningSince: goesOn ? before.runningSince : status === 'RUNNING' ? at : null,
        stop: goesOn ? before.stop : null,
        latestId: id,
      };
    }
    case 'STOP_AGENT':
      if (before === null) return null;
      return {
        ...before,
        stop: before.stop ?? (source === 'monitor' ? { at, deadlineMs: message.deadline_ms } : null),
        latestId: id,
      };
    case 'CRITICAL':
      return before === null ? null : { ...before, latestId: id };
    case 'AGENT_FLAGGED':
    case 'AGENT_CLEARED':
      return null;
    default:
      // A line of a newer Mayday.
      return null;
  }
}

export function isOver({ status }: Pick<BusTask, 'status'>): boolean {
  return status === 'COMPLETED' || status === 'FAILED';
}
