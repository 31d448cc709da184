/** From a claim of success to a delivered result, or to a named blocker. */
import { blocker, type Blocker } from '../blocker.ts';
import type { Fact, IncidentClass } from '../event.ts';
import { buildGate } from '../gates/build-gate.ts';
import { openIncident, type RunState } from '../run-state.ts';
import { askAboutBlocker } from './ask.ts';
import { goOn } from './go-on.ts';
import { diagnosed, incidentFor, resolveByProgress } from './incident.ts';
import { observedDiagnosis } from './incident-diagnosis.ts';
import { planAttempt } from './plan-attempt.ts';
import { stopped } from './stopped.ts';
import type { Turn } from './turn.ts';

type Of<T extends Fact['type']> = Extract<Fact, { type: T }>;

export function startGate(turn: Turn): void {
  const tree = workTree(turn.state);
  turn.decide({ type: 'gate_asked', tree });
  turn.command({ type: 'run_checks', purpose: 'gate', tree });
}

export function checksFinished(turn: Turn, fact: Of<'checks_finished'>): void {
  if (fact.purpose === 'baseline') return planAttempt(turn, null, null);
  const blockers = buildGate(turn.state, fact.at, fact.changed);
  if (blockers.length > 0) return blocked(turn, blockers, fact.changed);
  if (turn.state.stopAsked !== null) return stopped(turn);
  const proven = turn.state.task.checks.length > 0;
  const reason = proven
    ? `${turn.state.task.checks.length === 1 ? 'the check passed' : `all ${turn.state.task.checks.length} checks passed`} · inside scope`
    : 'nothing to check with';
  turn.decide({ type: 'gate_passed', stage: 'compose', tree: fact.tree, reason });
  if (proven) resolveByProgress(turn, reason);
  deliver(turn, fact.tree, !proven, null);
}

/** The work so far goes to the sink, by gates or by a person's word. */
export function deliverWork(turn: Turn): void {
  deliver(turn, workTree(turn.state), false, null);
}

export function workDelivered(turn: Turn, { ref }: Of<'work_delivered'>, before: RunState): void {
  if (before.life.type !== 'delivering') return;
  const { unverified, salvage } = before.life;
  if (salvage !== null)
    return end(turn, 'abandoned', `${salvage}; the work is kept${ref === null ? '' : ` on ${ref}`}`);
  const { accepted } = turn.state;
  if (accepted !== null)
    return end(turn, 'delivered', `accepted by ${accepted.by}${accepted.note ? `: ${accepted.note}` : ''}`);
  if (unverified) return end(turn, 'unverified', 'finished, but there was nothing to check with');
  end(turn, 'delivered', 'every gate passed');
}

export function deliveryBlocked(turn: Turn, { blocker: found }: Of<'delivery_blocked'>): void {
  turn.decide({ type: 'blocked', blockers: [found] });
  const incident = incidentFor(turn, found.code as IncidentClass, turn.state.attempts.length, turn.at);
  diagnosed(
    turn,
    incident,
    observedDiagnosis(
      incident.class,
      `the work is complete, but the sink failed: ${found.evidence[0] ?? found.code}`,
      found.evidence,
    ),
  );
  askAboutBlocker(
    turn,
    found,
    `The work is complete and kept, but it could not be delivered: ${found.evidence[0] ?? found.code}. How should it be delivered?`,
  );
}

/** Ends a run whose work is worth keeping by first putting it on a branch of its own. */
export function abandon(turn: Turn, reason: string): void {
  const { partialWork, workspace } = turn.state;
  const changed = partialWork.created.length + partialWork.changed.length + partialWork.deleted.length;
  if (changed > 0 && workspace?.kind === 'worktree' && turn.state.life.type !== 'delivering')
    deliver(turn, workTree(turn.state), false, reason);
  else end(turn, 'abandoned', reason);
}

export function end(turn: Turn, state: 'delivered' | 'unverified' | 'abandoned', reason: string): void {
  const open = openIncident(turn.state);
  if (open !== undefined) {
    turn.decide({
      type: 'incident_resolved',
      incident: open.id,
      outcome: state === 'abandoned' ? 'abandoned' : 'resolved',
      proof: reason,
    });
  }
  turn.decide({ type: 'ended', state, reason });
  for (const name of ['retry', 'timeout', 'question']) turn.cancel(name);
  turn.command({ type: 'release' });
}

export function workTree(state: RunState): string {
  return (
    state.checkpoints.findLast(({ state: kind }) => kind !== 'failed')?.tree ??
    state.workspace?.baseTree ??
    ''
  );
}

function deliver(turn: Turn, tree: string, unverified: boolean, salvage: string | null): void {
  const sink =
    salvage === null
      ? turn.state.task.sink
      : { type: 'branch' as const, name: `mayday/${turn.state.runId}-wip` };
  turn.decide({ type: 'delivery_decided', sink, tree, unverified, salvage });
  turn.command({ type: 'deliver', sink, tree, salvage: salvage !== null });
}

function blocked(turn: Turn, blockers: readonly Blocker[], changed: readonly string[]): void {
  turn.decide({ type: 'blocked', blockers });
  const first = blockers[0] as Blocker;
  const outside = first.code === 'scope_exceeded';
  const attempt = turn.state.attempts.length;
  const open = openIncident(turn.state);
  if (!outside && open !== undefined && open.attempt === attempt && open.class !== 'false_success')
    return goOn(turn, open);
  const denied = outside ? [] : deniedAtLast(turn.state);
  const kind = outside ? 'scope_exceeded' : denied.length > 0 ? 'permission_denied' : 'false_success';
  const incident = incidentFor(turn, kind, attempt, turn.at);
  const cause = outside
    ? `the change leaves the scope: ${first.evidence.join(', ')}`
    : denied.length > 0
      ? `the agent was denied ${denied.join(', ')} and says that it is done`
      : falseSuccess(first, changed);
  const explained = diagnosed(
    turn,
    incident,
    observedDiagnosis(incident.class, cause, [...denied, ...blockers.flatMap(({ evidence }) => evidence)]),
  );
  if (!outside) return goOn(turn, explained);
  const paths = first.evidence.join(', ');
  const scope = turn.state.scope.allowed.join(', ');
  turn.decide({
    type: 'recovery_decided',
    incident: explained.id,
    recovery: {
      strategy: 'escalate',
      phase: 3,
      returnTo: 'explore',
      reason: "a change outside the scope is a person's decision",
      notBefore: null,
      counted: false,
      freshSession: false,
      hint: null,
      agent: null,
    },
  });
  askAboutBlocker(
    turn,
    blocker('scope_exceeded', first.evidence),
    `${paths} must change, but ${first.evidence.length === 1 ? 'it is' : 'they are'} outside the scope ${scope}. Expand the scope to include ${paths}?`,
  );
}

/** What stood in the way, when the agent did nothing after it: no retry helps, only a person's word does. */
function deniedAtLast({ attempts }: RunState): readonly string[] {
  const examination = attempts.at(-1)?.examination;
  return examination?.diagnosis?.failureType === 'permission_denied' ? examination.deniedTools : [];
}

function falseSuccess(first: Blocker, changed: readonly string[]): string {
  if (first.code === 'empty_change') return 'the agent says that it is done, but nothing was changed';
  const what = first.evidence[0] ?? first.code;
  return `the agent says that it is done (${changed.length} files changed), but ${first.code.replaceAll('_', ' ')}: ${what}`;
}
