/** `BusAgent`: what the bus tells about one agent: how it does, and whether it is flagged for investigation. */
import type { BusEntry } from './bus-message.ts';
import { type BusTask, isOver } from './bus-task.ts';

export interface BusAgent {
  readonly name: string;
  readonly external: boolean;
  readonly lastSeenAt: number;
  /** Tries at tasks; of supervised agents the runs keep count. */
  readonly attempts: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly flag: { readonly reason: string; readonly at: number; readonly times: number } | null;
}

/** Runs are spoken of as agent@run; the agent is the same in every run. */
export function agentName({ source, message }: Pick<BusEntry, 'source' | 'message'>): string {
  return source === 'run' ? message.agent_id.slice(0, message.agent_id.lastIndexOf('@')) : message.agent_id;
}

/** Null: nothing about the agent changes. `task` is what the message made of its task, `earlier` what that was before. */
export function foldAgent(
  before: BusAgent | null,
  entry: BusEntry,
  task: { readonly earlier: BusTask | null; readonly now: BusTask | null },
): BusAgent | null {
  const { at, source, message } = entry;
  const agent = before ?? {
    name: agentName(entry),
    external: source !== 'run',
    lastSeenAt: at,
    attempts: 0,
    succeeded: 0,
    failed: 0,
    flag: null,
  };
  switch (message.type) {
    case 'AGENT_FLAGGED': {
      const times = (agent.flag?.times ?? 0) + 1;
      return { ...agent, lastSeenAt: at, flag: { reason: message.reason, at, times } };
    }
    case 'AGENT_CLEARED':
      return before === null ? null : { ...agent, flag: null };
    case 'TASK_UPDATE': {
      if (task.now === null) return null;
      const wasAtWork = task.earlier?.status === 'RUNNING';
      const atWork = task.now.status === 'RUNNING';
      const over = isOver(task.now);
      const well =
        task.now.status === 'COMPLETED' && (message.result_status ?? 'SUCCESS') === 'SUCCESS' ? 1 : 0;
      return {
        ...agent,
        // What Mayday says about an agent is no sign of its life.
        lastSeenAt: source === 'external' ? at : agent.lastSeenAt,
        attempts: agent.attempts + (!wasAtWork && (atWork || over) ? 1 : 0),
        succeeded: agent.succeeded + (over ? well : 0),
        failed: agent.failed + (over ? 1 - well : 0),
      };
    }
    case 'STOP_AGENT':
    case 'CRITICAL':
      return null;
    default:
      return null;
  }
}
