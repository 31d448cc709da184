/** `withoutApproved`, `validApprovals`, `isJudged`: which blockers persons lift: for one run, attempt, tree and question, once. */
import type { Approval } from '../vocabulary/questions/approval.ts';
import { blockerCase } from '../vocabulary/blockers/blocker-evidence.ts';
import { isKeyOf } from '../vocabulary/blockers/blocker-key.ts';
import type { Blocker } from '../vocabulary/blockers/blocker-rule.ts';
import { sameQuestion } from '../vocabulary/rules.ts';
import type { RunState } from '../state/run-state.ts';

export interface Judged {
  readonly open: readonly Blocker[];
  /** The ids of the approvals that lifted a blocker. */
  readonly used: readonly string[];
}

export function withoutApproved(state: RunState, tree: string, blockers: readonly Blocker[]): Judged {
  const valid = validApprovals(state, tree);
  const lifts = (blocker: Blocker) => valid.filter(({ keys }) => keys.some((key) => isKeyOf(key, blocker)));
  return {
    open: blockers.filter((blocker) => lifts(blocker).length === 0),
    used: [...new Set(blockers.flatMap(lifts).map(({ id }) => id))],
  };
}

/** Whether a person decided it for the whole run. A question is known by its words, wherever it stands; anything else by its key. */
export function isJudged({ judgments }: RunState, found: Blocker): boolean {
  return judgments.some(({ key, question }) => {
    if ('question' in found) return sameQuestion(question, found.question);
    return key === undefined ? sameQuestion(question, blockerCase(found)) : isKeyOf(key, found);
  });
}

export function validApprovals(state: RunState, tree: string): readonly Approval[] {
  return state.approvals.filter(
    (approval) => !approval.used && approval.tree === tree && approval.attempt === state.attempts.length,
  );
}
