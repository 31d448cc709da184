/**
 * `withoutApproved`, `validApprovals`: which blockers the approvals of persons lift. An approval is for one run, attempt, tree and
 * question, and it can be used once. It lifts nothing about another tree or another blocker.
 */
import type { Approval } from '../vocabulary/questions/approval.ts';
import { blockerKey } from '../vocabulary/blockers/blocker-evidence.ts';
import type { Blocker } from '../vocabulary/blockers/blocker-rule.ts';
import type { RunState } from '../state/run-state.ts';

export interface Judged {
  readonly open: readonly Blocker[];
  /** The ids of the approvals that lifted a blocker. */
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
