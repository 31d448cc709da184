/** From a claim of success to a delivered result, or to a named blocker. */
import { type Blocker, blocker, isBlockerCode } from '../vocabulary/blocker.ts';
import { blockerEvidence } from '../vocabulary/blocker-evidence.ts';
import type { Fact, IncidentClass } from '../vocabulary/event.ts';
import { validApprovals, withoutApproved } from '../gates/approvals.ts';
import { blockerKey, keyCode, type Approval } from '../vocabulary/approval.ts';
import { buildGate } from '../gates/build-gate.ts';
import { candidateTree, savedTree } from '../gates/candidate-tree.ts';
import { composeGate, composeWarnings } from '../gates/compose-gate.ts';
import { materializeGate } from '../gates/materialize-gate.ts';
import { openIncident, type RunState } from '../state/run-state.ts';
import { isDeliveredInPart, unsavedWords } from '../gates/unsaved-work.ts';
import { waiverWords, waivesProof, wordForIt } from '../gates/word-for-it.ts';
import { askAboutBlocker } from './ask.ts';
import { backoffMs } from './backoff.ts';
import { askAboutUnable } from './cannot-run.ts';
import { unableCheck } from './unable-check.ts';
import { endMission } from './close-mission.ts';
import { goOn } from './go-on.ts';
import { BUDGET_TIMER } from './hard-budget.ts';
import { diagnosed, escalate, incidentFor, resolveByProgress } from './incident.ts';
import { observedDiagnosis } from './incident-diagnosis.ts';
import { confirmedNote } from './on-explore.ts';
import { planAttempt } from './plan-attempt.ts';
import { recovery } from './recovery.ts';
import { stopped } from './stopped.ts';
import type { Turn } from './turn.ts';
import { quoteFenced } from '../text/quote-fenced.ts';

type Of<T extends Fact['type']> = Extract<Fact, { type: T }>;

/** What the agent can mend by itself, told what failed; everything else at a gate is a person's decision. */
const FOR_THE_AGENT: ReadonlySet<string> = new Set([
  'empty_change',
  'check_failed',
  'missing_verification',
  'verification_outdated',
  'work_too_vague',
]);

export function startGate(turn: Turn): void {
  const tree = candidateTree(turn.state);
  turn.decide({ type: 'gate_asked', tree });
  turn.command({ type: 'run_checks', purpose: 'gate', tree });
}

export function checksFinished(turn: Turn, fact: Of<'checks_finished'>): void {
  if (fact.purpose === 'baseline') {
    const unable = unableCheck(turn.state);
    if (unable !== undefined) return askAboutUnable(turn, unable);
    return planAttempt(turn, null, confirmedNote(turn));
  }
  const { open, used } = withoutApproved(turn.state, fact.tree, [
    ...buildGate(turn.state, fact),
    ...composeGate(turn.state, fact),
    ...materializeGate(fact.compose),
  ]);
  if (open.length > 0) return blocked(turn, open, fact.changed);
  if (turn.state.stopAsked !== null) return stopped(turn);
  const { checks } = turn.state.task;
  const lifted = turn.state.approvals.filter(({ id }) => used.includes(id));
  const isWaived = lifted.some(waivesProof);
  const reason = passedBecause(checks.length, lifted);
  turn.decide({
    type: 'gate_passed',
    stage: 'compose',
    tree: fact.tree,
    reason,
    approvals: used,
    ...(isWaived ? { waived: true } : {}),
  });
  for (const text of fact.compose === undefined ? [] : composeWarnings(turn.state, fact.compose))
    turn.decide({ type: 'noted', text });
  if (checks.length > 0 && !isWaived) resolveByProgress(turn, reason);
  deliver(turn, fact.tree, checks.length === 0, null);
}

/** A waived check did not pass: what lifted it is told, and that nothing else stood in the way. */
function passedBecause(checks: number, lifted: readonly Approval[]): string {
  const words = lifted.map(waiverWords);
  if (lifted.some(waivesProof)) return `not proven · ${words.join(' · ')} · inside scope`;
  if (checks === 0) return ['nothing to check with', ...words].join(' · ');
  const passed = checks === 1 ? 'the check passed' : `all ${checks} checks passed`;
  return [passed, ...words, 'inside scope'].join(' · ');
}

/** What is inside the scope stands for the whole now; its own checks decide. */
export function workSplit(turn: Turn): void {
  const left = turn.state.split?.left ?? [];
  turn.decide({ type: 'noted', text: `left out, kept in the checkpoint: ${left.join(', ')}` });
  startGate(turn);
}

export function workRebased(turn: Turn, { baseCommit, conflicts }: Of<'work_rebased'>): void {
  if (conflicts.length === 0) return startGate(turn);
  planAttempt(
    turn,
    null,
    `The work was moved onto the current target (${baseCommit.slice(0, 12)}). Both sides changed ${conflicts.map((path) => quoteFenced(path, turn.mark)).join(', ')}: the files hold conflict markers. Resolve them so that both intents hold, and remove the markers.`,
  );
}

/** The work so far goes to the sink by a person's word. */
export function deliverWork(turn: Turn): void {
  const { accepted, task, workspace } = turn.state;
  const tree = candidateTree(turn.state);
  if (tree === workspace?.baseTree) return askAboutEmpty(turn);
  deliver(turn, tree, accepted === null && task.checks.length === 0, null);
}

/** A person wanted the work, and there is none: they are told so instead of "delivered". */
function askAboutEmpty(turn: Turn): void {
  const found = blocker('empty_change', { source: 'person' });
  turn.decide({ type: 'blocked', blockers: [found] });
  const incident = incidentFor(turn, 'empty_change', turn.state.attempts.length, turn.at);
  const diagnosis = observedDiagnosis(incident.class, 'there is nothing to deliver', blockerEvidence(found));
  escalate(turn, diagnosed(turn, incident, diagnosis), found.returnsTo, 'nothing was changed');
  askAboutBlocker(turn, found);
}

/** What passed every gate is written again: the sink was mended, or another one was chosen. */
export function deliverAgain(turn: Turn): void {
  const { passed } = turn.state;
  if (passed === null) return startGate(turn);
  turn.cancel('retry');
  deliver(turn, passed.tree, passed.unverified, null);
}

export function workDelivered(turn: Turn, { ref }: Of<'work_delivered'>, before: RunState): void {
  if (before.life.type !== 'delivering') return;
  const { unverified, salvage, tree } = before.life;
  if (salvage !== null)
    return end(turn, 'abandoned', `${salvage}; the work is kept${ref === null ? '' : ` on ${ref}`}`);
  endDelivered(turn, unverified, tree);
}

function endDelivered(turn: Turn, unverified: boolean, tree: string, also: readonly string[] = []): void {
  const lacking = isDeliveredInPart(turn.state) ? [`without ${unsavedWords(turn.state)}`] : [];
  const say = (...words: string[]) => [...words, ...also, ...lacking].join('; ');
  if (turn.state.accepted !== null) return end(turn, 'delivered', say(wordForIt(turn.state) ?? ''));
  if (unverified) return end(turn, 'unverified', say('finished, but there was nothing to check with'));
  const lifted = turn.state.approvals.filter((one) => one.used && one.tree === tree);
  const begin = lifted.some(waivesProof) ? 'not proven' : 'every gate passed';
  end(turn, 'delivered', say(begin, ...lifted.map(waiverWords)));
}

/** A person said that nothing has to change: then an empty sink is no failure of the sink. */
function mayBeEmpty({ approvals }: RunState, tree: string): boolean {
  const key = blockerKey(blocker('empty_change', { source: 'gate' }));
  return approvals.some((one) => one.used && one.tree === tree && one.keys.includes(key));
}

export function deliveryBlocked(turn: Turn, { blocker: found }: Of<'delivery_blocked'>): void {
  const { life, deliveryTries, policy, runId } = turn.state;
  if (life.type === 'delivering' && life.salvage !== null) {
    const checkpoint = turn.state.checkpoints.at(-1)?.number;
    return end(turn, 'abandoned', `${life.salvage}; the work is kept in checkpoint ${checkpoint ?? 0}`);
  }
  if (found.code === 'empty_change' && life.type === 'delivering' && mayBeEmpty(turn.state, life.tree))
    return endDelivered(turn, life.unverified, life.tree, ['nothing had to change']);
  turn.decide({ type: 'blocked', blockers: [found] });
  const { abandonAsked } = turn.state;
  if (abandonAsked !== null) return end(turn, 'abandoned', `stopped for good by ${abandonAsked.by}`);
  const incident = incidentFor(turn, found.code, turn.state.attempts.length, turn.at);
  const evidence = blockerEvidence(found);
  const cause = `the work is complete, but the sink failed: ${evidence[0] ?? found.code}`;
  const explained = diagnosed(turn, incident, observedDiagnosis(incident.class, cause, evidence));
  if (found.code === 'delivery_failed' && deliveryTries <= policy.delivery_retries) {
    const until = turn.at + backoffMs(policy, deliveryTries - 1, runId);
    const reason = 'the sink failed for a moment: the delivery is tried again, the work is kept';
    turn.decide({
      type: 'recovery_decided',
      incident: explained.id,
      recovery: recovery({
        strategy: 'wait',
        phase: 1,
        returnTo: 'materialize',
        reason,
        notBefore: until,
      }),
    });
    turn.decide({ type: 'waiting', for: 'time', until, reason });
    turn.timer('retry', until);
    return;
  }
  escalate(turn, explained, found.returnsTo, 'the repair is to the sink, and the sink is yours');
  askAboutBlocker(turn, found);
}

/** Ends a run whose work is worth keeping by first putting it on a branch of its own. */
export function abandon(turn: Turn, reason: string): void {
  const { partialWork, workspace } = turn.state;
  const changed = partialWork.created.length + partialWork.changed.length + partialWork.deleted.length;
  if (changed > 0 && workspace?.kind === 'worktree' && turn.state.life.type !== 'delivering')
    deliver(turn, savedTree(turn.state), false, reason);
  else end(turn, 'abandoned', reason);
}

export function end(turn: Turn, state: 'delivered' | 'unverified' | 'abandoned', reason: string): void {
  const open = openIncident(turn.state);
  const isWaived = wordForIt(turn.state) !== null || (open !== undefined && isLifted(turn.state, open.class));
  const outcome = state === 'abandoned' || isWaived ? 'abandoned' : 'resolved';
  if (open !== undefined)
    turn.decide({ type: 'incident_resolved', incident: open.id, outcome, proof: reason });
  endMission(turn, outcome);
  turn.decide({ type: 'ended', state, reason });
  for (const name of ['retry', 'timeout', 'question', BUDGET_TIMER]) turn.cancel(name);
  turn.command({ type: 'release' });
}

/** The same delivery once more, after the machine failed us. */
export function deliverSame(turn: Turn, life: Extract<RunState['life'], { type: 'delivering' }>): void {
  deliver(turn, life.tree, life.unverified, life.salvage);
}

function deliver(turn: Turn, tree: string, unverified: boolean, salvage: string | null): void {
  const { runId, sink: chosen } = turn.state;
  const sink = salvage === null ? chosen : { type: 'branch' as const, name: `mayday/${runId}-wip` };
  // One use is one delivery: trying the same tree again after the sink failed is not a second use.
  const begun = turn.state.passed?.tree === tree ? (turn.state.passed.approvals ?? []) : [];
  const going = turn.state.approvals.filter(({ id }) => begun.includes(id));
  const approvals = salvage === null ? [...going, ...validApprovals(turn.state, tree)] : [];
  turn.decide({
    type: 'delivery_decided',
    sink,
    tree,
    unverified,
    salvage,
    approvals: approvals.map(({ id }) => id),
  });
  const { life } = turn.state;
  turn.command({
    type: 'deliver',
    sink,
    tree,
    salvage: salvage !== null,
    approved: approvals.flatMap(({ keys }) => keys),
    decidedAt: (life.type === 'delivering' ? life.decidedAt : undefined) ?? turn.at,
  });
}

function blocked(turn: Turn, blockers: readonly Blocker[], changed: readonly string[]): void {
  turn.decide({ type: 'blocked', blockers });
  closeAnswered(turn, blockers);
  const outside = blockers.find(({ code }) => code === 'scope_exceeded');
  const fixable = blockers.find(({ code }) => FOR_THE_AGENT.has(code));
  if (outside === undefined && fixable !== undefined) return sendBack(turn, blockers, fixable, changed);
  const first = outside ?? (blockers[0] as Blocker);
  if (turn.state.stopAsked !== null) return stopped(turn);
  const incident = incidentFor(turn, first.code, turn.state.attempts.length, turn.at);
  const evidence = blockerEvidence(first);
  const cause =
    outside === undefined
      ? `${first.code.replaceAll('_', ' ')}: ${evidence[0] ?? ''}`
      : `the change leaves the scope: ${evidence.join(', ')}`;
  const explained = diagnosed(turn, incident, observedDiagnosis(incident.class, cause, evidence));
  const why =
    outside === undefined
      ? `${first.code.replaceAll('_', ' ')} is a person's decision`
      : "a change outside the scope is a person's decision";
  escalate(turn, explained, first.returnsTo, why);
  askAboutBlocker(turn, first);
}

/** A blocker that a person lifted is over, also when the gate then says no for another reason. */
function closeAnswered(turn: Turn, blockers: readonly Blocker[]): void {
  const open = openIncident(turn.state);
  if (open === undefined || !isBlockerCode(open.class)) return;
  if (blockers.some(({ code }) => code === open.class)) return;
  const proof = `the gate no longer says ${open.class}`;
  const outcome = isLifted(turn.state, open.class) ? 'abandoned' : 'resolved';
  turn.decide({ type: 'incident_resolved', incident: open.id, outcome, proof });
}

/** A waiver ends the trouble, it does not mend it: that is no rescue. */
function isLifted(state: RunState, code: IncidentClass): boolean {
  const tree = candidateTree(state);
  return state.approvals.some(
    (one) =>
      one.option === 'waive_with_reason' &&
      one.tree === tree &&
      one.keys.some((key) => keyCode(key) === code),
  );
}

/** Back to the agent with the failing gate; the ladder decides how, and when to ask. */
function sendBack(
  turn: Turn,
  blockers: readonly Blocker[],
  first: Blocker,
  changed: readonly string[],
): void {
  const attempt = turn.state.attempts.length;
  const open = openIncident(turn.state);
  if (open !== undefined && open.attempt === attempt && open.class !== 'false_success')
    return goOn(turn, open);
  const denied = deniedAtLast(turn.state);
  const isDenied = denied.length > 0;
  const incident = incidentFor(turn, isDenied ? 'permission_denied' : 'false_success', attempt, turn.at);
  const evidence = [...denied, ...blockers.flatMap(blockerEvidence)];
  const cause = isDenied
    ? `the agent was denied ${denied.join(', ')} and says that it is done`
    : falseSuccess(first, changed);
  goOn(turn, diagnosed(turn, incident, observedDiagnosis(incident.class, cause, evidence)));
}

/** What stood in the way, when the agent did nothing after it: no retry helps, only a person's word does. */
function deniedAtLast({ attempts }: RunState): readonly string[] {
  const examination = attempts.at(-1)?.examination;
  return examination?.diagnosis?.failureType === 'permission_denied' ? examination.deniedTools : [];
}

function falseSuccess(first: Blocker, changed: readonly string[]): string {
  if (first.code === 'empty_change') return 'the agent says that it is done, but nothing was changed';
  const what = blockerEvidence(first)[0] ?? first.code;
  return `the agent says that it is done (${changed.length} files changed), but ${first.code.replaceAll('_', ' ')}: ${what}`;
}
