/** `SIGNALS`: what a detector can notice, one row per type. A signal is an observation; `decide` decides what follows. */
import type { FailureClass } from './classes/failure-class.ts';

interface SignalRule {
  /** The failure class of an attempt that is stopped for this signal. */
  readonly class: FailureClass;
  /** The signal is about the run, its limits or a claim, not about the health of the attempt: people are told and the attempt goes on. */
  readonly neverStops?: true;
  /** What the agent is told once before it is stopped for this signal; absent where it does not act, so that no message reaches it. */
  readonly nudge?: string;
  /** The agent's own note names the incident, and it is read when the attempt is examined: the signal opens none. */
  readonly isNamedByNote?: true;
  /** The gate judges the claim: nothing is said about it while the attempt lives. */
  readonly isLeftToGate?: true;
  /** How exactly it names the cause of a stuck run, for an autopsy: the lowest is believed. Absent: less than all that have one. */
  readonly exactness?: number;
}

// biome-ignore format: the short columns of a row stand together
const ROWS = {
  frozen: { class: 'frozen' },
  stalled: { class: 'stalled' },
  subagent_hang: { class: 'stalled' },
  waiting_for_input: { class: 'waiting_for_input' },
  blocker_raised: { class: 'waiting_for_input', isNamedByNote: true },
  looping: {
    class: 'looping', exactness: 5,
    nudge: 'this call will not answer differently: leave it, say what you expected, and check that expectation in another way',
  },
  repeated_error: {
    class: 'looping', exactness: 4,
    nudge: 'find the cause of this error before the next call; what you changed so far does not touch it',
  },
  monologue: { class: 'looping' },
  no_novelty: {
    class: 'looping',
    nudge: 'say what you have learned so far, then take one step that can tell you something new',
  },
  edit_undo: {
    class: 'looping', exactness: 6,
    nudge: 'you take your own edits back: decide by a check which version is right, and keep it',
  },
  test_repeat: {
    class: 'looping', exactness: 3,
    nudge: 'nothing changed since this check failed: change something, or read why it fails, before you run it again',
  },
  flat_results: {
    class: 'looping',
    nudge: 'ask what your edits so far have in common, and test that assumption before the next one',
  },
  refused_again: {
    class: 'looping',
    nudge: 'read what is refused word for word, and do exactly what is missing before you claim again that you are done',
  },
  one_answer: {
    class: 'looping',
    nudge: 'every call gets the same answer, so the tool itself is broken: use another one, or start its shell anew',
  },
  compaction_loop: { class: 'context_overflow' },
  tool_missing: {
    class: 'missing_dependency', exactness: 1,
    nudge: 'the program is not there: do the work without it, or name it as your blocker',
  },
  denied_again: {
    class: 'permission_denied', exactness: 2,
    nudge: 'asking again will not allow it: find a way that needs no such permission, or name it as your blocker',
  },
  overdue: { class: 'timeout', neverStops: true },
  budget: { class: 'budget_exhausted', neverStops: true },
  retries: { class: 'unknown', neverStops: true },
  scope_drift: { class: 'looping', neverStops: true },
  // The gate judges a claim. The agent that makes it is about to end anyway.
  false_success: { class: 'false_success', neverStops: true, isLeftToGate: true },
} as const satisfies Readonly<Record<string, SignalRule>>;

export type SignalType = keyof typeof ROWS;
export const SIGNALS: Readonly<Record<SignalType, SignalRule>> = ROWS;

/** True: a critical signal of this type stops the attempt. */
export function stops({ type }: Pick<Signal, 'type'>): boolean {
  return SIGNALS[type].neverStops !== true;
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
