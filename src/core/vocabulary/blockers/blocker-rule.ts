/** `Findings`, `BlockerRule`: what each blocker knows, as fields, and everything that Mayday says about it. */
import type { LeftProcess, RepositoryChange } from '../events/compose-facts.ts';
import type { Category, Concern, ReportReason, Stage } from '../classes/class-rule.ts';
import type { FailureClass } from '../classes/failure-class.ts';
import type { OptionWords, Resolution } from '../questions/resolution.ts';
import type { ChangedJudge, UnrelatedFile } from '../proof.ts';
import type { SinkSpec } from '../task.ts';
import type { CheckResult } from '../work.ts';

/** A rule of the repository caused the blocker. */
export interface ByPolicy {
  readonly source: 'policy';
  readonly rule: string;
  readonly says: string;
}

/** Text from outside: a sink's answer, a flag, a failure. Also what a version-1 journal tells and no field holds. */
export interface Said {
  readonly source: 'said';
  readonly said: readonly string[];
}

export interface FailedCheck {
  readonly source: 'check';
  readonly command: string;
  /** Null if the check timed out. */
  readonly exitCode: number | null;
  readonly timedOut: boolean;
  /** The runs on the same tree, if some of them passed. */
  readonly flaky: { readonly passed: number; readonly runs: number } | null;
  /** How it failed before the work; null if it did not fail then. */
  readonly before: 'same_output' | 'other_output' | null;
  /** The last lines of the output. */
  readonly output: readonly string[];
}

/** One of two decisions that disagree. If `file` is null, it was taken in this run. */
export interface TakenDecision {
  readonly answer: string;
  readonly file: string | null;
  readonly by: string | null;
}

/** What each blocker knows. `source` says how the blocker was found, which decides the fields that it has. */
export interface Findings {
  scope_missing: { readonly source: 'explore' };
  scope_stale: { readonly source: 'base'; readonly gone: readonly string[] };
  decision_pending:
    | { readonly source: 'task'; readonly question: string }
    | { readonly source: 'agent'; readonly question: string; readonly options: readonly string[] }
    | { readonly source: 'repository'; readonly question: string; readonly file: string };
  approval_missing:
    | {
        readonly source: 'proposal';
        readonly scope: readonly string[];
        readonly checks: readonly string[];
        readonly summary: string;
      }
    | (ByPolicy & { readonly paths: readonly string[] });
  scope_exceeded: { readonly source: 'change' | 'submodule'; readonly paths: readonly string[] };
  missing_verification:
    | (ByPolicy & { readonly wanted: readonly string[] })
    /** `now`: null if the runner does not say it. */
    | {
        readonly source: 'test_count';
        readonly command: string;
        readonly now: number | null;
        readonly before: number;
      };
  check_failed: FailedCheck;
  check_not_recorded:
    | { readonly source: 'task'; readonly command: string }
    | (ByPolicy & { readonly command: string })
    | {
        readonly source: 'disturbed';
        readonly command: string;
        readonly files: readonly string[];
        /** The files that are not of the tree. */
        readonly outside?: CheckResult['outside'];
      };
  touch_point_unrecorded:
    | { readonly source: 'change'; readonly paths: readonly string[] }
    | { readonly source: 'git'; readonly files: readonly string[]; readonly undo: readonly string[] }
    | { readonly source: 'links'; readonly links: readonly string[] }
    | { readonly source: 'refs'; readonly refs: readonly RepositoryChange[] }
    | { readonly source: 'processes'; readonly processes: readonly LeftProcess[] }
    | { readonly source: 'judges'; readonly judges: readonly ChangedJudge[] }
    | { readonly source: 'unrelated'; readonly unrelated: readonly UnrelatedFile[] }
    | (ByPolicy & { readonly paths: readonly string[] });
  work_too_vague: { readonly source: 'markers'; readonly markers: readonly string[] };
  work_not_saved:
    | {
        readonly source: 'checkpoint';
        readonly files: readonly { readonly path: string; readonly why: string }[];
        /** How many files beyond those listed. */
        readonly more: number;
      }
    | {
        readonly source: 'attempt';
        readonly attempt: number;
        readonly checkpoint: number;
        readonly problem: string;
      };
  /** `gate`: the gate judges the work. `person`: a person accepted the work. */
  empty_change: { readonly source: 'gate' | 'person' };
  decision_conflict: {
    readonly source: 'decisions';
    readonly question: string;
    readonly sides: readonly [TakenDecision, TakenDecision];
  };
  policy_violated: ByPolicy & { readonly found: readonly string[] };
  verification_outdated: FailedCheck & { readonly judges: readonly string[] };
  change_conflict:
    | {
        readonly source: 'target' | 'run';
        /** The branch, or the other run. */
        readonly name: string;
        readonly paths: readonly string[];
        readonly task: string;
        /** What the other side intends. */
        readonly theirs: readonly string[];
      }
    | {
        readonly source: 'merged_check';
        readonly command: string;
        readonly exitCode: number | null;
        readonly output: readonly string[];
      };
  judgment_missing:
    | (ByPolicy & { readonly paths: readonly string[] })
    | { readonly source: 'decision'; readonly question: string; readonly file: string };
  patch_does_not_apply: Said;
  sink_not_writable: Said;
  generator_unavailable: Said;
  sink_drifted: Said;
  approval_required:
    | (ByPolicy & { readonly paths: readonly string[] })
    /** The git configuration changed, and a push would run what it names. */
    | { readonly source: 'git'; readonly files: readonly string[] }
    /** The sink holds what is not a delivery of this run. */
    | { readonly source: 'file'; readonly path: string; readonly run: string }
    | { readonly source: 'directory'; readonly path: string; readonly files: readonly string[] };
  delivery_failed: Said;
}

export type BlockerCode = keyof Findings;

interface Place<C> {
  /** A blocker code, or the failure class that blocks. */
  readonly code: C;
  readonly stage: Stage;
  readonly returnsTo: Stage;
  readonly resolutions: readonly Resolution[];
}

export type Finding<C extends BlockerCode = BlockerCode> = { [K in C]: Findings[K] }[C];

export type SaidBlocker = Place<BlockerCode | FailureClass> & Said;
type FoundBlocker = { [C in BlockerCode]: Place<C> & Findings[C] }[BlockerCode];
export type Blocker = FoundBlocker | SaidBlocker;

/** The fields that Mayday found itself, without text from outside. */
export type Found<C extends BlockerCode = BlockerCode> = { [K in C]: Exclude<Findings[K], Said> }[C];

/** What a question about the blocker may say about the run: names of one word, and quotations between marks. */
export interface BlockerAsked<C extends BlockerCode = BlockerCode> {
  readonly found: Findings[C] | Said;
  /** The case in words. */
  readonly what: string;
  readonly details: readonly string[];
  /** The case and the details. */
  readonly evidence: readonly string[];
  readonly resolutions: readonly Resolution[];
  readonly scope: readonly string[];
  /** The part of the scope that still exists. */
  readonly scopeLeft: readonly string[];
  /** The agent explored and proposed; the work has not begun. */
  readonly isProposed: boolean;
  readonly sink: SinkSpec;
  readonly ownBranch: string;
}

export interface BlockerWords {
  readonly text: string;
  /** Own labels for some options; the other options keep their usual labels. */
  readonly labels?: Readonly<Partial<Record<Resolution, OptionWords>>>;
}

interface EvidenceWords<C extends BlockerCode> {
  /** The fields that tell one case from another: an approval is bound to them. `case` needs no others. */
  readonly key: readonly Exclude<
    Found<C> extends infer F ? (F extends unknown ? keyof F : never) : never,
    'source'
  >[];
  /** The words for the case. Approvals of older journals are bound to the words: if they change, such a question is asked again. */
  readonly case: (found: Found<C>) => string;
  readonly details: (found: Found<C>) => readonly string[];
}

interface Row {
  readonly stage: Stage;
  readonly returnsTo: Stage;
  /** What the blocker is, for the reference pages. */
  readonly says: string;
  /** What it concerns, for the person. */
  readonly concern: Concern;
  /** The category of its cause, for lessons. */
  readonly category: Category;
  /** A person can always end the run. */
  readonly resolutions: readonly [...Resolution[], 'abandon'];
  /** The reason under which the classic report counts it. If absent, the code is its own reason. */
  readonly reason?: ReportReason;
  /** Once lifted, the blocker is not asked about again at a later gate of the run. */
  readonly isDecidedForRun?: (source: string) => boolean;
  /** A proof is missing. An approval of it is a waiver, and the work is never reported as proven. */
  readonly isAboutProof?: true;
  /** A person is asked about it before all others, even if the agent could mend those. */
  readonly isAskedFirst?: true;
  /** What the person decides about, in words. If absent, the code. */
  readonly matter?: string;
}

/**
 * What happens about it. Absent: a person is asked. `at_gates`: a gate sends it back to the agent, which can mend it when it is told what
 * failed; a person is asked if a sink, or a person who takes the work as it is, meets it. `always`: only a gate finds it.
 */
type Route<C extends BlockerCode> =
  | {
      readonly toAgent?: 'at_gates';
      readonly question: (asked: BlockerAsked<C>) => BlockerWords;
      /** The kind of the question, if it is not the code. */
      readonly kind?: string;
    }
  | { readonly toAgent: 'always'; readonly question?: never; readonly kind?: never };

/** A blocker that only has text from outside needs no words of its own. */
export type BlockerRule<C extends BlockerCode> = Row &
  Route<C> &
  ([Found<C>] extends [never] ? unknown : EvidenceWords<C>);

export type BlockerRules<C extends BlockerCode> = { readonly [K in C]: BlockerRule<K> };
