/**
 * `DeliveryResult`, `onBranch`, `blockedDelivery`, `approvalRequired`, `takenBranch`: the answer of every sink: delivered, or a named
 * blocker. A sink is one file in this folder with one function. Called again after a crash, it looks at what is there and ends in the
 * same state, never in a second delivery.
 */
import type { RunKey } from '../checkpoint/take-base.ts';
import type { CommittedWork } from './commit-work.ts';
import { blocker } from '../../core/vocabulary/blockers/blocker.ts';
import type { Blocker, BlockerCode, Finding } from '../../core/vocabulary/blockers/blocker-rule.ts';

export interface DeliverySpec extends RunKey {
  /** The shadow tree to deliver. */
  readonly tree: string;
}

/** For sinks that make commits. */
export interface CommitSpec extends DeliverySpec {
  /** The first line and body of the commit. A trailer names the run. */
  readonly message: string;
  /** More trailers: whether the work is proven, and what judges it changed. Absent: it is not proven. */
  readonly trailers?: readonly string[];
  /** When the delivery was decided, milliseconds since the epoch. It makes a later call produce the same commit. */
  readonly at: number;
  /** The commit of the agent that is the parent of the delivered one; absent: the base. */
  readonly parent?: string;
  /** Commits that the journal knows as deliveries of this run. */
  readonly earlier?: readonly string[];
}

export type DeliveryResult =
  | {
      readonly type: 'delivered';
      /** Where the person finds the work: a branch, a path or an address. */
      readonly ref: string;
      /** Null where the sink makes no commit. */
      readonly commit: string | null;
      readonly files: readonly string[];
      readonly warnings: readonly string[];
    }
  | {
      readonly type: 'blocked';
      readonly blocker: Blocker;
      /** The commit that is on the run's branch although a later step failed. */
      readonly commit?: string | null;
      /** The target moved after the gate saw it: the gate must judge again. */
      readonly targetMoved?: true;
    };

/** Failures of the sink (the work stays whole, the sink needs repair), and an empty change. */
type SinkBlockerCode = Extract<
  BlockerCode,
  | 'patch_does_not_apply'
  | 'sink_not_writable'
  | 'generator_unavailable'
  | 'sink_drifted'
  | 'delivery_failed'
  | 'change_conflict'
  | 'empty_change'
>;

const MAX_EVIDENCE = 10;

export function onBranch(
  { branch: ref }: { readonly branch: string },
  commit: string,
  { files, warnings }: Pick<CommittedWork, 'files' | 'warnings'>,
): DeliveryResult {
  return { type: 'delivered', ref, commit, files, warnings };
}

export function blockedDelivery(code: SinkBlockerCode, evidence: readonly string[]): DeliveryResult {
  return {
    type: 'blocked',
    blocker: blocker(code, { source: 'said', said: evidence.slice(0, MAX_EVIDENCE) }),
  };
}

/** Blocks a delivery until a person approves what it would do. */
export function approvalRequired(finding: Finding<'approval_required'>): DeliveryResult {
  return { type: 'blocked', blocker: blocker('approval_required', finding) };
}

/** Whether a person approved what the delivery would do. */
export type IsApproved = (finding: Finding<'approval_required'>) => boolean;

/** Blocks a delivery to a branch in other use. The person gets no choice to rebase, because the branch would still be in use. */
export function takenBranch(evidence: string): DeliveryResult {
  const finding = { source: 'said', said: [evidence] } as const;
  return {
    type: 'blocked',
    blocker: blocker('sink_drifted', finding, ['fix_sink', 'choose_patch_output', 'abandon']),
  };
}
