/** Delivered because a person said so and not because a check did: true work perhaps, but never called green. */
import type { BlockerCode } from '../vocabulary/blocker.ts';
import type { IncidentClass } from '../vocabulary/event.ts';
import { keyCode, type Approval } from '../vocabulary/approval.ts';
import { candidateTree } from './candidate-tree.ts';
import type { RunState } from '../state/run-state.ts';

const ABOUT_PROOF: ReadonlySet<string> = new Set<BlockerCode>([
  'check_failed',
  'check_not_recorded',
  'missing_verification',
  'verification_outdated',
]);

/** The approval stands for a proof that is not there. */
export function waivesProof({ keys }: Approval): boolean {
  return keys.some((key) => ABOUT_PROOF.has(keyCode(key)));
}

/** `check_failed waived by ann: it comes next week` */
export function waiverWords({ keys, by, note, option }: Approval): string {
  const what = [...new Set(keys.map(keyCode))].join(', ');
  return `${what} ${option === 'waive_with_reason' ? 'waived' : 'approved'} by ${by}${note ? `: ${note}` : ''}`;
}

/** Whose word stands in for the proof of what was or will be delivered; null: it is proven, or said to be unverified. */
export function wordForIt(state: RunState): string | null {
  const { approvals, delivery } = state;
  const { accepted, passed } = delivery;
  if (accepted !== null) return `accepted by ${accepted.by}${accepted.note ? `: ${accepted.note}` : ''}`;
  const waived = approvals.filter((one) => one.used && one.tree === passed?.tree && waivesProof(one));
  return waived.length === 0 ? null : waived.map(waiverWords).join('; ');
}

/** A waiver ends the trouble, it does not mend it: that is no rescue. */
export function isLifted(state: RunState, code: IncidentClass): boolean {
  const tree = candidateTree(state);
  return state.approvals.some(
    (one) =>
      one.option === 'waive_with_reason' &&
      one.tree === tree &&
      one.keys.some((key) => keyCode(key) === code),
  );
}
