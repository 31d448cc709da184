/**
 * A person's word at a gate: bound to the run, the attempt, the tree and the question, and good once. The same word about
 * another tree, another blocker or a second time opens nothing.
 */
import type { Blocker } from '../blocker.ts';
import { blockerCase } from '../blocker-evidence.ts';
import type { RunState } from '../run-state.ts';

export interface Approval {
  /** Of its record in the ledger. */
  readonly id: string;
  readonly question: string;
  readonly option: string;
  readonly by: string;
  readonly note: string;
  readonly at: number;
  readonly tree: string;
  readonly attempt: number;
  /** What it lifts. */
  readonly keys: readonly string[];
  readonly used: boolean;
}

/** `seq`: of the answer in the journal. */
export function approvalId(runId: string, seq: number): string {
  return `${runId}.${seq}.approval`;
}

/** What makes two blockers the same decision: the code and what names the case. */
export function blockerKey(blocker: Blocker): string {
  return `${blocker.code}|${blockerCase(blocker)}`;
}

/** The code of the blocker that the key names. */
export function keyCode(key: string): string {
  return key.slice(0, key.indexOf('|'));
}

export interface Judged {
  readonly open: readonly Blocker[];
  /** Approvals that lifted something. */
  readonly used: readonly string[];
}

export function withoutApproved(state: RunState, tree: string, blockers: readonly Blocker[]): Judged {
  const valid = validApprovals(state, tree);
  const lifts = (blocker: Blocker) => valid.filter(({ keys }) => keys.includes(blockerKey(blocker)));
  return {
    open: blockers.filter((blocker) => lifts(blocker).length === 0),
    used: [...new Set(blockers.flatMap(lifts).map(({ id }) => id))],
  };
}

export function validApprovals(state: RunState, tree: string): readonly Approval[] {
  return state.approvals.filter(
    (approval) => !approval.used && approval.tree === tree && approval.attempt === state.attempts.length,
  );
}
