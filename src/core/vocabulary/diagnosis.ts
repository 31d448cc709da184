/** `Diagnosis`: what failed, why, and whether the agent or a person must fix it. `diagnosisJson` makes its public JSON keys. */
import type { FailureClass } from './classes/failure-class.ts';
import type { ClassRule, DiagnosedCategory } from './classes/class-rule.ts';
import type { OpinionOutcome } from './opinion.ts';

export interface Evidence {
  /** The line of the input, counted from 1; 0 if the evidence is the exit status and no line names the cause. */
  readonly line: number;
  /** Verbatim from the input. */
  readonly text: string;
}

export interface Hypothesis {
  readonly cause: string;
  /** What would confirm it. */
  readonly test: string;
}

/** What the failure names and a workspace may have; an empty text where it names none. */
export interface DiagnosisSubject {
  readonly file: string;
  readonly row: number;
  /** The package, module or command that was not found. */
  readonly module: string;
  /** The script of a package that was asked for and is not there. */
  readonly script: string;
  /** The function whose value a test compared. */
  readonly call: string;
}

/** A line or a fact of the workspace that bears on the cause; `line` is 0 where a whole file is meant. */
export interface WorkspaceEvidence {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

/** Memory comes back when the process ends; disks, handles and the like need room first. */
export type RanOutOf = 'memory' | 'other';

export interface PatternMatch {
  readonly id: string;
  readonly title: string;
  readonly recovery: string;
  readonly prevention: string;
}

export interface Diagnosis
  extends Pick<ClassRule, 'recoverable' | 'transient' | 'concern' | 'returnTo' | 'scope'> {
  readonly failureType: FailureClass | 'success';
  /** One plain sentence that names the file, symbol, test, host or limit. */
  readonly rootCause: string;
  readonly recoveryPlan: string | null;
  readonly humanInstructions: string | null;
  readonly suggestedActions: readonly string[];
  readonly escalationReason: string | null;
  readonly category: DiagnosedCategory;
  /** What speaks for the category; absent in older journals and in a diagnosis of output alone. */
  readonly categoryReason?: string;
  /** Milliseconds since the epoch, if the output tells when to try again. */
  readonly retryAt: number | null;
  /** How exact `retryAt` was told. If absent, it is unknown, or the diagnosis is from an older version. */
  readonly retryExactToMs?: number;
  readonly confidence: number;
  readonly evidence: readonly Evidence[];
  readonly hypotheses: readonly Hypothesis[];
  /** What the machine ran out of, if the class is `resource_exhausted`; absent in older journals. */
  readonly ranOutOf?: RanOutOf;
  /** What would prove the root cause; absent: its plan or its instructions, where they are carried out. */
  readonly confirmedBy?: string;
  /** The step, job or command of a longer log that was judged. */
  readonly step?: string;
  readonly subject?: DiagnosisSubject;
  /** What the workspace shows about the subject, if it was looked at. */
  readonly workspace?: readonly WorkspaceEvidence[];
  /** The team's pattern that matched, if any. Patterns are tried before the generic rules. */
  readonly pattern?: PatternMatch | null;
  /** What came of asking a model; absent: nobody was asked, and `noOpinion` may say why. */
  readonly opinion?: OpinionOutcome;
  readonly noOpinion?: string;
  /**
   * `read`: from the agent's output. `observed`: from what Mayday saw itself, which names the cause no more exactly than the class does.
   */
  readonly origin: 'read' | 'observed' | 'person';
  /** The same for different paths, ids, times and line numbers; different for different causes. */
  readonly fingerprint: string;
}

export interface DiagnosisInput {
  readonly output: string;
  readonly exitCode?: number | null;
  readonly signal?: string | null;
  readonly command?: string | null;
  /** A hint only; it is not trusted. */
  readonly failureTypeHint?: string | null;
  readonly retryCount?: number;
  readonly featureId?: string | null;
  readonly issueNumber?: number | null;
  /** What the attempt left, if it was examined. Some patterns need it. */
  readonly work?: {
    readonly completed: readonly string[];
    readonly missing: readonly string[];
    readonly changed: boolean;
  } | null;
  /** For reset texts such as "resets 5:30am": the time and zone in which the output was made. */
  readonly nowMs?: number;
  readonly timeZone?: string;
}
