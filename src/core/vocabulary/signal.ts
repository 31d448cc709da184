/** What a detector noticed, with its evidence. A signal is an observation; deciding is somebody else's work. */

export type SignalType =
  | 'exited'
  | 'killed'
  | 'out_of_memory'
  | 'frozen'
  | 'unkillable'
  | 'vanished'
  | 'stalled'
  | 'waiting_for_input'
  | 'timeout'
  | 'overdue'
  | 'looping'
  | 'repeated_error'
  | 'monologue'
  | 'no_novelty'
  | 'edit_undo'
  | 'compaction_loop'
  | 'test_repeat'
  | 'tool_missing'
  | 'denied_again'
  | 'budget'
  | 'retries'
  | 'false_success'
  | 'scope_drift'
  | 'subagent_hang'
  | 'output_capped'
  | 'blocker_raised'
  | 'git_config_changed';

export interface Signal {
  readonly type: SignalType;
  readonly severity: 'warning' | 'critical';
  /** One sentence a person understands. */
  readonly reason: string;
  /** When the trouble began, which is earlier than when it was noticed. */
  readonly sinceAt: number;
  readonly at: number;
  /** Index of the transcript entry that tipped the verdict, where there is one. */
  readonly atStep?: number;
  /** Index of the entry with which it began. */
  readonly sinceStep?: number;
  readonly evidence: readonly string[];
  /** 0 to 1. */
  readonly confidence: number;
  readonly suggestedAction: string;
  /** What one would have to see for this verdict to be wrong. */
  readonly disproof?: string;
}
