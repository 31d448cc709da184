/** `SIGNALS`: what a detector can notice, one row per type. A signal is an observation; deciding is the work of `decide`. */
import type { FailureClass } from './failure-class.ts';

interface SignalRule {
  /** What an attempt that is stopped for it died of. */
  readonly class: FailureClass;
  /** About the run, its limits or a claim, not about this attempt's health: people are told, the attempt goes on. */
  readonly isAlert?: true;
}

const ROWS = {
  frozen: { class: 'frozen' },
  stalled: { class: 'stalled' },
  subagent_hang: { class: 'stalled' },
  waiting_for_input: { class: 'waiting_for_input' },
  blocker_raised: { class: 'waiting_for_input' },
  looping: { class: 'looping' },
  repeated_error: { class: 'looping' },
  monologue: { class: 'looping' },
  no_novelty: { class: 'looping' },
  edit_undo: { class: 'looping' },
  test_repeat: { class: 'looping' },
  compaction_loop: { class: 'context_overflow' },
  tool_missing: { class: 'missing_dependency' },
  denied_again: { class: 'permission_denied' },
  overdue: { class: 'timeout', isAlert: true },
  budget: { class: 'budget_exhausted', isAlert: true },
  retries: { class: 'unknown', isAlert: true },
  scope_drift: { class: 'looping', isAlert: true },
  // A claim is judged by the gate; the agent that makes it is about to end anyway.
  false_success: { class: 'false_success', isAlert: true },
} as const satisfies Readonly<Record<string, SignalRule>>;

export type SignalType = keyof typeof ROWS;
export const SIGNALS: Readonly<Record<SignalType, SignalRule>> = ROWS;

/** An attempt with a critical signal of this type is stopped. */
export function stops({ type }: Pick<Signal, 'type'>): boolean {
  return SIGNALS[type].isAlert !== true;
}

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
