/** The answer to "what failed, why, and whose is it to fix". Public shape in contracts; JSON keys are made in `diagnosisJson`. */
import type { FailureClass } from './failure-class.ts';
import type { Category, Concern, FailureScope, Stage } from './class-rule.ts';

export interface Evidence {
  /** 1-based line of the input; 0 when the evidence is the exit status and no line names the cause. */
  readonly line: number;
  /** Verbatim from the input. */
  readonly text: string;
}

export interface Hypothesis {
  readonly cause: string;
  /** What would confirm it. */
  readonly test: string;
}

export interface PatternMatch {
  readonly id: string;
  readonly title: string;
  readonly recovery: string;
  readonly prevention: string;
}

export interface Diagnosis {
  readonly failureType: FailureClass | 'success';
  /** One plain sentence that names the file, symbol, test, host or limit. */
  readonly rootCause: string;
  readonly recoverable: boolean;
  readonly recoveryPlan: string | null;
  readonly humanInstructions: string | null;
  readonly suggestedActions: readonly string[];
  readonly escalationReason: string | null;
  readonly transient: boolean;
  readonly category: Category;
  readonly concern: Concern;
  readonly returnTo: Stage | null;
  readonly scope: FailureScope;
  /** Milliseconds since the epoch, where the output tells when to try again. */
  readonly retryAt: number | null;
  /** `retryAt` was told to the second; left out: only by the minute, or by an older Mayday. */
  readonly retryIsExact?: boolean;
  readonly confidence: number;
  readonly evidence: readonly Evidence[];
  readonly hypotheses: readonly Hypothesis[];
  /** The team's pattern that matched, if any: it came before the generic rules. */
  readonly pattern?: PatternMatch | null;
  /** `read`: from the agent's output; `observed`: from what Mayday saw itself, which names no cause more exactly than its class does. */
  readonly origin: 'read' | 'observed';
  /** Stable over paths, ids, times and line numbers; differs between causes. */
  readonly fingerprint: string;
}

export interface DiagnosisInput {
  readonly output: string;
  readonly exitCode?: number | null;
  readonly signal?: string | null;
  readonly command?: string | null;
  /** A hint, not trusted. */
  readonly failureTypeHint?: string | null;
  readonly retryCount?: number;
  readonly featureId?: string | null;
  readonly issueNumber?: number | null;
  /** What the attempt left behind, where somebody looked: some patterns need it. */
  readonly work?: {
    readonly completed: readonly string[];
    readonly missing: readonly string[];
    readonly changed: boolean;
  } | null;
  /** For reset texts such as "resets 5:30am": the time and zone the output was made in. */
  readonly nowMs?: number;
  readonly timeZone?: string;
}
