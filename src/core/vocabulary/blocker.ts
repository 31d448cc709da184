/** `BLOCKERS` and `Blocker`: named reasons why work may not leave its stage, what each knows, and the ways out. Data: the words are made in `blockerEvidence`. */
import type { LeftProcess, MovedRef } from './compose-facts.ts';
import type { Category, Concern, FailureClass, Stage } from './failure-class.ts';

const RESOLUTIONS = [
  'expand_scope',
  'revise_work',
  'add_verification',
  'answer_question',
  'record_judgment',
  'waive_with_reason',
  'fix_sink',
  'rebase',
  'choose_patch_output',
  'split_work',
  'retry',
  'abandon',
] as const;

export type Resolution = (typeof RESOLUTIONS)[number];

export function isResolution(id: string): id is Resolution {
  return RESOLUTIONS.some((one) => one === id);
}

interface BlockerRule {
  readonly stage: Stage;
  readonly returnsTo: Stage;
  readonly says: string;
  /** What it is about, for the person. */
  readonly concern: Concern;
  /** What was behind it, for learning. */
  readonly category: Category;
  readonly resolutions: readonly Resolution[];
}

// biome-ignore format: a table is read by its columns
export const BLOCKERS = {
  scope_missing: { stage: 'explore', returnsTo: 'explore', says: 'nothing says what may change', concern: 'scope', category: 'ambiguous_spec', resolutions: ['expand_scope', 'abandon'] },
  scope_stale: { stage: 'explore', returnsTo: 'explore', says: 'the scope names what is no longer there', concern: 'scope', category: 'ambiguous_spec', resolutions: ['expand_scope', 'abandon'] },
  decision_pending: { stage: 'explore', returnsTo: 'explore', says: 'an open decision must be taken first', concern: 'judgment', category: 'ambiguous_spec', resolutions: ['answer_question', 'record_judgment', 'abandon'] },
  approval_missing: { stage: 'explore', returnsTo: 'explore', says: 'an approval is required before the work', concern: 'judgment', category: 'constraint_conflict', resolutions: ['record_judgment', 'abandon'] },
  scope_exceeded: { stage: 'build', returnsTo: 'explore', says: 'the change leaves the scope', concern: 'scope', category: 'constraint_conflict', resolutions: ['expand_scope', 'revise_work', 'split_work', 'abandon'] },
  missing_verification: { stage: 'build', returnsTo: 'build', says: 'behaviour changed and no passing check is recorded after the last change', concern: 'verification', category: 'missing_context', resolutions: ['add_verification', 'waive_with_reason', 'abandon'] },
  check_failed: { stage: 'build', returnsTo: 'build', says: 'a required check fails', concern: 'verification', category: 'missing_context', resolutions: ['revise_work', 'waive_with_reason', 'retry', 'abandon'] },
  check_not_recorded: { stage: 'build', returnsTo: 'build', says: 'a required check has no record', concern: 'verification', category: 'missing_context', resolutions: ['retry', 'waive_with_reason', 'abandon'] },
  touch_point_unrecorded: { stage: 'build', returnsTo: 'build', says: 'what needs a record was touched without one: a named path, your git, a branch, the workspace after the agent ended', concern: 'policy', category: 'constraint_conflict', resolutions: ['record_judgment', 'revise_work', 'abandon'] },
  work_too_vague: { stage: 'build', returnsTo: 'build', says: 'the work is too vague to deliver', concern: 'code', category: 'ambiguous_spec', resolutions: ['revise_work', 'answer_question', 'abandon'] },
  work_not_saved: { stage: 'build', returnsTo: 'build', says: 'part of the work is in no checkpoint, and a delivery would lack it', concern: 'environment', category: 'environment', resolutions: ['retry', 'revise_work', 'waive_with_reason', 'abandon'] },
  empty_change: { stage: 'build', returnsTo: 'build', says: 'nothing was changed', concern: 'code', category: 'missing_context', resolutions: ['revise_work', 'waive_with_reason', 'abandon'] },
  decision_conflict: { stage: 'compose', returnsTo: 'compose', says: 'two recorded decisions disagree', concern: 'judgment', category: 'constraint_conflict', resolutions: ['record_judgment', 'revise_work', 'abandon'] },
  policy_violated: { stage: 'compose', returnsTo: 'build', says: 'the change breaks a policy of the repository', concern: 'policy', category: 'constraint_conflict', resolutions: ['revise_work', 'waive_with_reason', 'abandon'] },
  verification_outdated: { stage: 'compose', returnsTo: 'build', says: 'the check passes only with what the work changed in its judge: tests, scripts, settings', concern: 'verification', category: 'constraint_conflict', resolutions: ['revise_work', 'waive_with_reason', 'abandon'] },
  change_conflict: { stage: 'compose', returnsTo: 'compose', says: 'the change conflicts with another change', concern: 'code', category: 'constraint_conflict', resolutions: ['rebase', 'revise_work', 'choose_patch_output', 'abandon'] },
  judgment_missing: { stage: 'compose', returnsTo: 'compose', says: 'a required judgment is not recorded', concern: 'judgment', category: 'missing_context', resolutions: ['record_judgment', 'abandon'] },
  patch_does_not_apply: { stage: 'materialize', returnsTo: 'materialize', says: 'the patch does not apply to the sink', concern: 'sink', category: 'constraint_conflict', resolutions: ['rebase', 'choose_patch_output', 'abandon'] },
  sink_not_writable: { stage: 'materialize', returnsTo: 'materialize', says: 'the sink cannot be written', concern: 'sink', category: 'environment', resolutions: ['fix_sink', 'choose_patch_output', 'abandon'] },
  generator_unavailable: { stage: 'materialize', returnsTo: 'materialize', says: 'a program the sink needs is missing', concern: 'sink', category: 'environment', resolutions: ['fix_sink', 'choose_patch_output', 'abandon'] },
  sink_drifted: { stage: 'materialize', returnsTo: 'materialize', says: 'the sink moved since the base', concern: 'sink', category: 'constraint_conflict', resolutions: ['rebase', 'choose_patch_output', 'abandon'] },
  approval_required: { stage: 'materialize', returnsTo: 'materialize', says: 'writing there needs an approval', concern: 'sink', category: 'constraint_conflict', resolutions: ['record_judgment', 'choose_patch_output', 'abandon'] },
  delivery_failed: { stage: 'materialize', returnsTo: 'materialize', says: 'the sink failed', concern: 'sink', category: 'environment', resolutions: ['retry', 'fix_sink', 'choose_patch_output', 'abandon'] },
} as const satisfies Readonly<Record<string, BlockerRule>>;

export type BlockerCode = keyof typeof BLOCKERS;

/** A rule of the repository stands behind it. */
interface ByPolicy {
  readonly source: 'policy';
  readonly rule: string;
  readonly says: string;
}

/** Words from outside: a sink's answer, a flag, a failure; also what a version-1 journal tells and no field holds. */
export interface Said {
  readonly source: 'said';
  readonly said: readonly string[];
}

export interface FailedCheck {
  readonly source: 'check';
  readonly command: string;
  /** Null: it took too long. */
  readonly exitCode: number | null;
  readonly timedOut: boolean;
  /** Runs on the same tree, where some passed. */
  readonly flaky: { readonly passed: number; readonly runs: number } | null;
  /** How it failed before the work; null: it did not. */
  readonly before: 'same_output' | 'other_output' | null;
  /** The last lines. */
  readonly output: readonly string[];
}

/** One of two decisions that disagree; without a file it was taken in this run. */
interface TakenDecision {
  readonly answer: string;
  readonly file: string | null;
  readonly by: string | null;
}

/** What each blocker knows. A name in `source` says how it came to be, and with it which fields there are. */
interface Findings {
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
    /** `now`: null where the runner does not say. */
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
    | { readonly source: 'disturbed'; readonly command: string; readonly files: readonly string[] };
  touch_point_unrecorded:
    | { readonly source: 'change'; readonly paths: readonly string[] }
    | { readonly source: 'git'; readonly files: readonly string[]; readonly undo: readonly string[] }
    | { readonly source: 'links'; readonly links: readonly string[] }
    | { readonly source: 'refs'; readonly refs: readonly MovedRef[] }
    | { readonly source: 'processes'; readonly processes: readonly LeftProcess[] }
    | (ByPolicy & { readonly paths: readonly string[] });
  work_too_vague: { readonly source: 'markers'; readonly markers: readonly string[] };
  work_not_saved:
    | {
        readonly source: 'checkpoint';
        readonly files: readonly { readonly path: string; readonly why: string }[];
        /** More than those listed. */
        readonly more: number;
      }
    | {
        readonly source: 'attempt';
        readonly attempt: number;
        readonly checkpoint: number;
        readonly problem: string;
      };
  /** `gate`: the work is judged; `person`: it was accepted. */
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
        /** What the other side is about. */
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
  approval_required: ByPolicy & { readonly paths: readonly string[] };
  delivery_failed: Said;
}

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

/** `resolutions`: where fewer ways lead out than the table names. */
export function blocker<C extends BlockerCode>(
  code: C,
  finding: Findings[C] | Said,
  resolutions: readonly Resolution[] = BLOCKERS[code].resolutions,
): Blocker {
  const { stage, returnsTo } = BLOCKERS[code];
  return { code, stage, returnsTo, ...finding, resolutions } as Blocker;
}

export function isBlockerCode(code: string): code is BlockerCode {
  return Object.hasOwn(BLOCKERS, code);
}

/** An incident is named by what happened, or by the blocker that stopped the work at a gate. */
export type IncidentClass = FailureClass | BlockerCode;
