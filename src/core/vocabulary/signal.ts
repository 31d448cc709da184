/** `SIGNALS`: what a detector can notice, one row per type. A signal is an observation; `decide` decides what follows. */
import type { FailureClass } from './failure-class.ts';

interface SignalRule {
  /** The failure class of an attempt that is stopped for this signal. */
  readonly class: FailureClass;
  /** The signal is about the run, its limits or a claim, not about the health of the attempt: people are told and the attempt goes on. */
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
  flat_results: { class: 'looping' },
  refused_again: { class: 'looping' },
  one_answer: { class: 'looping' },
  compaction_loop: { class: 'context_overflow' },
  tool_missing: { class: 'missing_dependency' },
  denied_again: { class: 'permission_denied' },
  overdue: { class: 'timeout', isAlert: true },
  budget: { class: 'budget_exhausted', isAlert: true },
  retries: { class: 'unknown', isAlert: true },
  scope_drift: { class: 'looping', isAlert: true },
  // The gate judges a claim. The agent that makes it is about to end anyway.
  false_success: { class: 'false_success', isAlert: true },
} as const satisfies Readonly<Record<string, SignalRule>>;

export type SignalType = keyof typeof ROWS;
export const SIGNALS: Readonly<Record<SignalType, SignalRule>> = ROWS;

/** True: a critical signal of this type stops the attempt. */
export function stops({ type }: Pick<Signal, 'type'>): boolean {
  return SIGNALS[type].isAlert !== true;
}

export interface Signal {
  readonly type: SignalType;
  readonly severity: 'warning' | 'critical';
  /** One sentence that a person understands. */
  readonly reason: string;
  /** When the trouble began; that is earlier than when it was noticed. */
  readonly sinceAt: number;
  readonly at: number;
  /** The index of the transcript entry that decided the verdict, if there is one. */
  readonly atStep?: number;
  /** The index of the transcript entry with which the trouble began. */
  readonly sinceStep?: number;
  readonly evidence: readonly string[];
  /** From 0 to 1. */
  readonly confidence: number;
  readonly suggestedAction: string;
  /** What would prove this verdict wrong. */
  readonly disproof?: string;
}
