/**
 * `waiverSummary`: tells that work was delivered because a person said so and not because a check passed; such work is never called
 * green.
 */
import { BLOCKERS, isBlockerCode } from '../vocabulary/blockers/blocker.ts';
import type { IncidentClass } from '../vocabulary/events/event.ts';
import type { Approval } from '../vocabulary/questions/approval.ts';
import { blockerSays } from '../vocabulary/blockers/blocker-evidence.ts';
import { keyCode } from '../vocabulary/blockers/blocker-key.ts';
import { candidateTree } from '../state/last-tree.ts';
import type { RunState } from '../state/run-state.ts';

/** The approval replaces a proof that is missing. */
export function waivesProof({ keys }: Approval): boolean {
  return keys.map(keyCode).some((code) => isBlockerCode(code) && BLOCKERS[code].isAboutProof === true);
}

/** `a required check fails (waived by ann: it comes next week)` */
export function waiverWords(approval: Approval): string {
  return `${codesOf(approval).map(blockerSays).join(', ')} (${byWhom(approval)})`;
}

/** The same for a program: `check_failed waived by ann: it comes next week` */
export function waiverCodes(approval: Approval): string {
  return `${codesOf(approval).join(', ')} ${byWhom(approval)}`;
}

function codesOf({ keys }: Approval): readonly string[] {
  return [...new Set(keys.map(keyCode))];
}

function byWhom({ by, note, option }: Approval): string {
  return `${option === 'waive_with_reason' ? 'waived' : 'approved'} by ${by}${note ? `: ${note}` : ''}`;
}

/** The person, and the reason, that replace the proof of a delivery; null: the work is proven, or is called unverified. */
export function waiverSummary(state: RunState, told = waiverWords): string | null {
  const { approvals, delivery } = state;
  const { accepted, passed } = delivery;
  if (accepted !== null) return `accepted by ${accepted.by}${accepted.note ? `: ${accepted.note}` : ''}`;
  const waived = approvals.filter((one) => one.used && one.tree === passed?.tree && waivesProof(one));
  return waived.length === 0 ? null : waived.map(told).join('; ');
}

/**
 * Whether a person waived this blocker for the present tree; of a false success, anything that the gate refused. A waiver ends the
 * incident without a cure, so it is no rescue.
 */
export function isLifted(state: RunState, code: IncidentClass): boolean {
  const tree = candidateTree(state);
  return state.approvals.some(
    (one) =>
      one.option === 'waive_with_reason' &&
      one.tree === tree &&
      (code === 'false_success' || one.keys.some((key) => keyCode(key) === code)),
  );
}
