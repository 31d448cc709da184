/** `BusMessage`: what agents, Mayday and people publish on the bus. Keys are spelled as in the public lines. */

export type TaskStatus = 'PENDING' | 'RUNNING' | 'COMPLETED' | 'FAILED';
export type ResultStatus = 'SUCCESS' | 'FAILURE' | 'VALIDATION_ERROR';

export interface Scoring {
  readonly checks_passed: number | null;
  readonly checks_total: number | null;
  readonly attempts: number | null;
  readonly tokens: number | null;
  readonly cost_usd: number | null;
  readonly duration_ms: number | null;
}

export interface TaskUpdate {
  readonly type: 'TASK_UPDATE';
  readonly task_id: string;
  readonly agent_id: string;
  readonly status: TaskStatus;
  readonly error: string | null;
  readonly started_at: string | null;
  readonly completed_at: string | null;
  readonly result_status: ResultStatus | null;
  readonly scoring: Scoring | null;
  /** How the task is done again when it fails: a shell line, what proves the work, and the agents that may take over. */
  readonly command?: string | undefined;
  readonly checks?: readonly string[] | undefined;
  readonly fallback?: readonly string[] | undefined;
  /** The run that does the task now. Only Mayday says this. */
  readonly run_id?: string;
}

export type BusMessage =
  | TaskUpdate
  | {
      readonly type: 'STOP_AGENT';
      readonly agent_id: string;
      readonly task_id: string;
      readonly reason: string;
      /** From the moment of the message. */
      readonly deadline_ms: number;
    }
  | { readonly type: 'AGENT_FLAGGED'; readonly agent_id: string; readonly reason: string }
  | {
      readonly type: 'CRITICAL';
      readonly agent_id: string;
      readonly task_id: string;
      readonly reason: string;
    }
  /** A person looked into it; only a person can publish this. */
  | {
      readonly type: 'AGENT_CLEARED';
      readonly agent_id: string;
      readonly by: string;
      readonly note: string;
    };

/** The author: a run about itself, Mayday's monitor of external tasks, a person, or an external agent. */
export type BusSource = 'run' | 'monitor' | 'person' | 'external';

/** A line of the stream, read back. */
export interface BusEntry {
  /** 1, 2, 3... over the whole record. */
  readonly id: number;
  readonly at: number;
  readonly source: BusSource;
  readonly message: BusMessage;
}

export function busLine({ id, at, source, message }: BusEntry) {
  return { ...message, id, at: new Date(at).toISOString(), source };
}
