/** `unprovenBecause`, `unprovenText`, `isProven`, `notProven`, `isWaiver`: whether a delivery is proven. Every view asks here. */
import { BLOCKERS, isBlockerCode } from '../vocabulary/blockers/blocker.ts';
import type { IncidentClass } from '../vocabulary/events/event.ts';
import type { Approval } from '../vocabulary/questions/approval.ts';
import { blockerSays } from '../vocabulary/blockers/blocker-evidence.ts';
import { keyCode } from '../vocabulary/blockers/blocker-key.ts';
import { candidateTree } from '../state/last-tree.ts';
import type { RunState } from '../state/run-state.ts';

export type Unproven =
  | { readonly type: 'accepted'; readonly by: string; readonly note: string }
  | { readonly type: 'waived'; readonly approval: Approval }
  | { readonly type: 'nothing_to_check_with' }
  | { readonly type: 'check_left_out'; readonly command: string }
  /** `exitCode`: undefined if the check did not run on the delivered tree, null if it took too long. */
  | { readonly type: 'check_not_passed'; readonly command: string; readonly exitCode?: number | null };

/** Why the work that goes, or went, to the sink is not proven; empty: it is. */
export function unprovenBecause(state: RunState): readonly Unproven[] {
  const { approvals, delivery, task, checks } = state;
  const tree = delivery.passed?.tree;
  const waived = approvals.filter((one) => one.used && one.tree === tree && isWaiver(one));
  const commands = task.checks;
  const leftOut = checks.filter((one) => one.purpose === 'baseline' && !commands.includes(one.command));
  return [
    ...(delivery.accepted === null ? [] : [{ type: 'accepted' as const, ...delivery.accepted }]),
    ...waived.map((approval) => ({ type: 'waived' as const, approval })),
    ...(commands.length === 0 ? [{ type: 'nothing_to_check_with' as const }] : []),
    ...[...new Set(leftOut.map(({ command }) => command))].map((command) => ({
      type: 'check_left_out' as const,
      command,
    })),
    ...commands.flatMap((command) => notPassed(state, command, tree)),
  ];
}

function notPassed({ checks }: RunState, command: string, tree: string | undefined): Unproven[] {
  const runs = checks.filter(
    (one) =>
      one.purpose === 'gate' && one.tree === tree && one.command === command && one.variant === 'candidate',
  );
  const failed = runs.find(({ at, passed }) => at === runs.at(-1)?.at && !passed);
  if (runs.length > 0 && failed === undefined) return [];
  return [{ type: 'check_not_passed', command, ...(failed && { exitCode: failed.exitCode }) }];
}

export function isProven(state: RunState): boolean {
  return (
    state.life.type === 'ended' && state.life.state === 'delivered' && unprovenBecause(state).length === 0
  );
}

/** The reasons in words; empty: the delivery is proven. */
export function notProven(state: RunState): readonly string[] {
  if (state.life.type !== 'ended') return ['nothing is delivered yet'];
  return state.life.state === 'abandoned'
    ? ['nothing was delivered']
    : unprovenBecause(state).map(unprovenText);
}

export function unprovenText(reason: Unproven): string {
  switch (reason.type) {
    case 'accepted':
      return `accepted by ${reason.by}${reason.note ? `: ${reason.note}` : ''}`;
    case 'waived':
      return waiverText(reason.approval);
    case 'nothing_to_check_with':
      return 'there was nothing to check with';
    case 'check_left_out':
      return `the check \`${reason.command}\` was left out`;
    case 'check_not_passed':
      return `the check \`${reason.command}\` ${howNotPassed(reason.exitCode)} on the delivered work`;
  }
}

function howNotPassed(exitCode: number | null | undefined): string {
  if (exitCode === undefined) return 'did not run';
  return exitCode === null ? 'timed out' : `failed with exit ${exitCode}`;
}

/** Any waiver, and an approval that replaces a missing proof. Other approvals are what a gate asks for. */
export function isWaiver(approval: Approval): boolean {
  return approval.option === 'waive_with_reason' || waivesProof(approval);
}

function waivesProof({ keys }: Approval): boolean {
  return keys.map(keyCode).some((code) => isBlockerCode(code) && BLOCKERS[code].isAboutProof === true);
}

/** `a required check fails (waived by ann: it comes next week)` */
export function waiverText(approval: Approval): string {
  const { keys, by, note, option } = approval;
  const codes = [...new Set(keys.map(keyCode))];
  const did = option === 'waive_with_reason' ? 'waived' : 'approved';
  return `${codes.map(blockerSays).join(', ')} (${did} by ${by}${note ? `: ${note}` : ''})`;
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
