/** `deliverWork`, `workDelivered`, `deliveryBlocked`, `abandon`, `end`: from a passed gate, or a person's word, to the end of the run. */
import { blocker } from '../vocabulary/blockers/blocker.ts';
import { blockerEvidence } from '../vocabulary/blockers/blocker-evidence.ts';
import { isKeyOf } from '../vocabulary/blockers/blocker-key.ts';
import type { FactOf } from '../vocabulary/events/event.ts';
import { validApprovals } from '../gates/approvals.ts';
import { candidateTree, lastCheckpoint, savedTree } from '../state/last-tree.ts';
import { isDeliveredInPart, unsavedWords } from '../gates/unsaved-work.ts';
import { isLifted, isWaiver, unprovenBecause, unprovenText, waiverText } from '../gates/delivery-proof.ts';
import { type Delivery, openIncident, type RunState } from '../state/run-state.ts';
import { askAboutBlocker } from './question/ask.ts';
import { backoffMs } from './recovery/backoff.ts';
import { endMission } from './close-mission.ts';
import { BUDGET_TIMER } from './recovery/hard-budget.ts';
import { closeIncident, diagnosed, escalate, incidentFor, observed, recovery } from './recovery/incident.ts';
import { observedDiagnosis } from './recovery/incident-diagnosis.ts';
import type { Turn } from './turn.ts';

export function deliverWork(turn: Turn): void {
  const { delivery, task, workspace } = turn.state;
  const tree = candidateTree(turn.state);
  if (tree === workspace?.baseTree) return askAboutEmpty(turn);
  deliver(turn, tree, delivery.accepted === null && task.checks.length === 0, null);
}

/** A person wanted the work, but nothing was changed: the run asks them instead of ending as "delivered". */
function askAboutEmpty(turn: Turn): void {
  const found = blocker('empty_change', { source: 'person' });
  turn.decide({ type: 'blocked', blockers: [found] });
  const incident = incidentFor(turn, 'empty_change', turn.state.attempts.length, turn.at);
  const diagnosis = observedDiagnosis(incident.class, 'there is nothing to deliver', blockerEvidence(found));
  escalate(turn, diagnosed(turn, incident, diagnosis), found.returnsTo, 'nothing was changed');
  askAboutBlocker(turn, found);
}

export function deliverAgain(
  turn: Turn,
  { tree, unverified, target }: NonNullable<Delivery['passed']>,
): void {
  turn.cancel('retry');
  deliver(turn, tree, unverified, null, target);
}

export function workDelivered(turn: Turn, { ref }: FactOf<'work_delivered'>, before: RunState): void {
  if (before.life.type !== 'delivering') return;
  const { unverified, salvage, tree } = before.life;
  if (salvage !== null)
    return end(turn, 'abandoned', `${salvage}; the work is kept${ref === null ? '' : ` on ${ref}`}`);
  endDelivered(turn, unverified, tree);
}

function endDelivered(turn: Turn, unverified: boolean, tree: string, also: readonly string[] = []): void {
  const lacking = isDeliveredInPart(turn.state) ? [`without ${unsavedWords(turn.state)}`] : [];
  const say = (...words: string[]) => [...words, ...also, ...lacking].join('; ');
  const { accepted } = turn.state.delivery;
  if (accepted !== null) return end(turn, 'delivered', say(unprovenText({ type: 'accepted', ...accepted })));
  if (unverified) return end(turn, 'unverified', say('finished, but there was nothing to check with'));
  const lifted = turn.state.approvals.filter((one) => one.used && one.tree === tree);
  const begin = lifted.some(isWaiver) ? 'not proven' : 'every gate passed';
  end(turn, 'delivered', say(begin, ...lifted.map(waiverText)));
}

/** A person said that nothing has to change. Then an empty change is not a failure of the sink. */
function mayBeEmpty({ approvals }: RunState, tree: string): boolean {
  const empty = blocker('empty_change', { source: 'gate' });
  return approvals.some(
    (one) => one.used && one.tree === tree && one.keys.some((key) => isKeyOf(key, empty)),
  );
}

export function deliveryBlocked(turn: Turn, { blocker: found }: FactOf<'delivery_blocked'>): void {
  const { life, policy, runId } = turn.state;
  const { tries } = turn.state.delivery;
  if (life.type === 'delivering' && life.salvage !== null) {
    const checkpoint = lastCheckpoint(turn.state)?.number;
    return end(turn, 'abandoned', `${life.salvage}; the work is kept in checkpoint ${checkpoint ?? 0}`);
  }
  if (found.code === 'empty_change' && life.type === 'delivering' && mayBeEmpty(turn.state, life.tree))
    return endDelivered(turn, life.unverified, life.tree, ['nothing had to change']);
  turn.decide({ type: 'blocked', blockers: [found] });
  const { abandon: word } = turn.state.asked;
  if (word !== null) return end(turn, 'abandoned', `stopped for good by ${word.by}`);
  const incident = incidentFor(turn, found.code, turn.state.attempts.length, turn.at);
  const evidence = blockerEvidence(found);
  const cause = `the work is complete, but the sink failed: ${evidence[0] ?? found.code}`;
  const explained = observed(turn, incident, incident.class, cause, evidence);
  if (found.code === 'delivery_failed' && tries <= policy.delivery_retries) {
    const until = turn.at + backoffMs(policy, tries - 1, runId);
    const reason = 'the sink failed for a moment: the delivery is tried again, the work is kept';
    turn.decide({
      type: 'recovery_decided',
      incident: explained.id,
      recovery: recovery({ strategy: 'wait', phase: 1, returnTo: 'materialize', reason, notBefore: until }),
    });
    turn.decide({ type: 'waiting', for: 'time', until, reason });
    turn.timer('retry', until);
    return;
  }
  escalate(turn, explained, found.returnsTo, 'the repair is to the sink, and the sink is yours');
  askAboutBlocker(turn, found);
}

/** Ends a run. If there is work to keep, the run first delivers it to a branch of its own. */
export function abandon(turn: Turn, reason: string): void {
  const { partialWork, workspace } = turn.state;
  const changed = partialWork.created.length + partialWork.changed.length + partialWork.deleted.length;
  if (changed > 0 && workspace?.kind === 'worktree' && turn.state.life.type !== 'delivering')
    deliver(turn, savedTree(turn.state), false, reason);
  else end(turn, 'abandoned', reason);
}

export function end(turn: Turn, state: 'delivered' | 'unverified' | 'abandoned', reason: string): void {
  const open = openIncident(turn.state);
  const isWaived =
    unprovenBecause(turn.state).some(({ type }) => type === 'accepted' || type === 'waived') ||
    (open !== undefined && isLifted(turn.state, open.class));
  const outcome = state === 'abandoned' || isWaived ? 'abandoned' : 'resolved';
  if (open !== undefined) closeIncident(turn, open, outcome, reason);
  endMission(turn, outcome);
  turn.decide({ type: 'ended', state, reason });
  turn.cancel('retry', 'timeout', 'question', BUDGET_TIMER);
  turn.command({ type: 'release' });
}

export function deliverSame(turn: Turn, life: Extract<RunState['life'], { type: 'delivering' }>): void {
  const { passed } = turn.state.delivery;
  const target = passed?.tree === life.tree ? passed.target : undefined;
  deliver(turn, life.tree, life.unverified, life.salvage, target);
}

/** `target`: the commit of the target branch that the gate saw. */
export function deliver(
  turn: Turn,
  tree: string,
  unverified: boolean,
  salvage: string | null,
  target?: string,
): void {
  const { runId, sink: chosen } = turn.state;
  const sink = salvage === null ? chosen : { type: 'branch' as const, name: `mayday/${runId}-wip` };
  // An approval is used for one delivery. Trying the same tree again after the sink failed is not a second use.
  const { passed } = turn.state.delivery;
  const begun = passed?.tree === tree ? (passed.approvals ?? []) : [];
  const going = turn.state.approvals.filter(({ id }) => begun.includes(id));
  const seen = target === undefined ? {} : { target };
  const approvals = salvage === null ? [...going, ...validApprovals(turn.state, tree)] : [];
  turn.decide({
    type: 'delivery_decided',
    sink,
    tree,
    unverified,
    salvage,
    approvals: approvals.map(({ id }) => id),
    ...seen,
  });
  const { life } = turn.state;
  turn.command({
    type: 'deliver',
    sink,
    tree,
    salvage: salvage !== null,
    approved: approvals.flatMap(({ keys }) => keys),
    decidedAt: (life.type === 'delivering' ? life.decidedAt : undefined) ?? turn.at,
    ...seen,
  });
}
