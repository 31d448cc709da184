/** `startGate`, `checksFinished`, `deliveryRefused`, `workSplit`, `workRebased`: from a claim of success to a passed gate or a blocker. */
import { BLOCKERS, isBlockerCode } from '../vocabulary/blockers/blocker.ts';
import type { Blocker, BlockerCode, BlockerRule } from '../vocabulary/blockers/blocker-rule.ts';
import {
  blockerCase,
  blockerEvidence,
  blockerHeadline,
  blockerSays,
} from '../vocabulary/blockers/blocker-evidence.ts';
import { checkFails } from '../vocabulary/blockers/words.ts';
import { blockerKey, keyText } from '../vocabulary/blockers/blocker-key.ts';
import { fingerprint } from '../diagnose/fingerprint.ts';
import type { Diagnosis } from '../vocabulary/diagnosis.ts';
import type { FactOf } from '../vocabulary/events/event.ts';
import { isExactFingerprint } from '../vocabulary/lesson.ts';
import { withoutApproved } from '../gates/approvals.ts';
import type { Approval } from '../vocabulary/questions/approval.ts';
import { buildGate } from '../gates/build-gate.ts';
import { candidateTree } from '../state/last-tree.ts';
import { composeGate, composeWarnings, materializeGate } from '../gates/compose-gate.ts';
import { isLifted, isWaiver, waiverText } from '../gates/delivery-proof.ts';
import { oneLine, quoteFenced } from '../text/quote-fenced.ts';
import { currentAttempt, openIncident, type Attempt, type RunState } from '../state/run-state.ts';
import { askAboutBlocker } from './question/ask.ts';
import { askAboutUnable } from './question/cannot-run.ts';
import { faultyCheck, machineFault } from './machine-fault.ts';
import { unableCheck } from './unable-check.ts';
import { carryOutRecovery } from './recovery/carry-out-recovery.ts';
import {
  changedInto,
  closeIncident,
  diagnosed,
  escalate,
  incidentFor,
  observed,
  resolve,
} from './recovery/incident.ts';
import { observedDiagnosis } from './recovery/incident-diagnosis.ts';
import { deliver, deliveryBlocked } from './on-delivery.ts';
import { askForAgent, deniedWork, questionOf } from './on-agent-question.ts';
import { confirmedNote } from './on-explore.ts';
import { planAttempt } from './plan-attempt.ts';
import { wholeWords } from '../text/few-names.ts';
import { stopped } from './stopped.ts';
import type { Turn } from './turn.ts';

/** Enough for the line of a check that names the cause. */
const MAX_SAID_CHARS = 160;

export function startGate(turn: Turn): void {
  const tree = candidateTree(turn.state);
  turn.decide({ type: 'gate_asked', tree });
  turn.command({ type: 'run_checks', purpose: 'gate', tree });
}

/** The sink refused the work. If the target moved after the gate saw it, the gate runs again, up to `delivery_retries` times. */
export function deliveryRefused(turn: Turn, fact: FactOf<'delivery_blocked'>): void {
  const { asked, delivery, policy } = turn.state;
  if (fact.targetMoved !== true || asked.abandon !== null || delivery.tries > policy.delivery_retries)
    return deliveryBlocked(turn, fact);
  turn.decide({ type: 'noted', text: `${blockerEvidence(fact.blocker)[0] ?? ''} The gate is asked again.` });
  startGate(turn);
}

export function checksFinished(turn: Turn, fact: FactOf<'checks_finished'>): void {
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
  closeMended(turn, open);
  if (open.length > 0) return blocked(turn, open, fact.changed);
  if (turn.state.asked.stop !== null) return stopped(turn);
  const { checks } = turn.state.task;
  const lifted = turn.state.approvals.filter(({ id }) => used.includes(id));
  const isWaived = lifted.some(isWaiver);
  const reason = passedBecause(checks.length, lifted);
  turn.decide({
    type: 'gate_passed',
    stage: 'compose',
    tree: fact.tree,
    reason,
    approvals: used,
    ...(isWaived ? { waived: true } : {}),
  });
  const asks = questionOf(turn.state);
  if (asks !== undefined)
    turn.decide({ type: 'noted', text: `the agent asked at the end: ${oneLine(asks.text)}` });
  for (const text of fact.compose === undefined ? [] : composeWarnings(turn.state, fact.compose))
    turn.decide({ type: 'noted', text });
  if (checks.length > 0 && !isWaived) resolve(turn, reason);
  deliver(turn, fact.tree, checks.length === 0, null, fact.compose?.target?.commit);
}

/** Why the gate passed. A waived check did not pass: the reason names the approval that lifted it. */
function passedBecause(checks: number, lifted: readonly Approval[]): string {
  const words = lifted.map(waiverText);
  if (lifted.some(isWaiver)) return `not proven · ${words.join(' · ')} · every change is inside the scope`;
  if (checks === 0) return ['nothing to check with', ...words].join(' · ');
  const passed = checks === 1 ? 'the check passed' : `all ${checks} checks passed`;
  return [passed, ...words, 'every change is inside the scope'].join(' · ');
}

/** After a split, only the part inside the scope is the candidate. The checks run on that part. */
export function workSplit(turn: Turn): void {
  const left = turn.state.delivery.split?.left ?? [];
  turn.decide({ type: 'noted', text: `left out, kept in the checkpoint: ${left.join(', ')}` });
  startGate(turn);
}

export function workRebased(turn: Turn, { baseCommit, conflicts }: FactOf<'work_rebased'>): void {
  if (conflicts.length === 0) return startGate(turn);
  const paths = conflicts.map((path) => quoteFenced(path, turn.mark)).join(', ');
  const note = [
    `The work was moved onto the current target (${baseCommit.slice(0, 12)}).`,
    `Both sides changed ${paths}: the files hold conflict markers.`,
    'Resolve them so that both intents hold, and remove the markers.',
  ];
  planAttempt(turn, null, note.join(' '));
}

function blocked(turn: Turn, blockers: readonly Blocker[], changed: readonly string[]): void {
  turn.decide({ type: 'blocked', blockers });
  closeAnswered(turn, blockers);
  const urgent = blockers.find(({ code }) => ruleOfBlocker(code)?.isAskedFirst);
  const fixable = blockers.find(({ code }) => ruleOfBlocker(code)?.toAgent !== undefined);
  if (urgent === undefined && fixable !== undefined) return sendBack(turn, blockers, fixable, changed);
  const first = urgent ?? (blockers[0] as Blocker);
  if (turn.state.asked.stop !== null) return stopped(turn);
  const incident = incidentFor(turn, first.code, turn.state.attempts.length, turn.at);
  const evidence = blockerEvidence(first);
  const rule = ruleOfBlocker(first.code);
  const name = first.code.replaceAll('_', ' ');
  const cause = rule?.isAskedFirst ? `${rule.says}: ${evidence.join(', ')}` : blockerHeadline(first);
  const explained = observed(turn, incident, incident.class, cause, evidence);
  escalate(turn, explained, first.returnsTo, `${rule?.matter ?? name} is a person's decision`);
  askAboutBlocker(turn, first);
}

function ruleOfBlocker(code: Blocker['code']): BlockerRule<BlockerCode> | undefined {
  return isBlockerCode(code) ? (BLOCKERS[code] as BlockerRule<BlockerCode>) : undefined;
}

/** Resolves the incident of a blocker that the gate no longer reports, even if the gate now blocks for another reason. */
function closeAnswered(turn: Turn, blockers: readonly Blocker[]): void {
  const open = openIncident(turn.state);
  if (open === undefined || !isBlockerCode(open.class)) return;
  if (blockers.some(({ code }) => code === open.class)) return;
  const proof = `the gate no longer finds that ${blockerSays(open.class)}`;
  const outcome = isLifted(turn.state, open.class) ? 'abandoned' : 'resolved';
  closeIncident(turn, open, outcome, proof);
}

function closeMended(turn: Turn, blockers: readonly Blocker[]): void {
  const open = openIncident(turn.state);
  if (open === undefined || faultyCheck(turn.state, open) === undefined) return;
  if (machineFault(turn.state, blockers, turn.at) === undefined)
    closeIncident(turn, open, 'resolved', 'the check can run now');
}

function sendBack(
  turn: Turn,
  blockers: readonly Blocker[],
  first: Blocker,
  changed: readonly string[],
): void {
  const attempt = turn.state.attempts.length;
  const open = openIncident(turn.state);
  // An attempt that failed did not get beyond its trouble because the gate looked at what it left.
  const hasFailed = currentAttempt(turn.state)?.examination?.claimsDone === false;
  if (open !== undefined && (open.attempt === attempt || hasFailed) && open.class !== 'false_success')
    return carryOutRecovery(turn, open);
  const asks = questionOf(turn.state);
  if (asks !== undefined) return askForAgent(turn, asks, currentAttempt(turn.state) as Attempt);
  const denied = deniedAtLast(turn.state);
  const isDenied = denied.length > 0;
  const evidence = [...denied, ...blockers.flatMap(blockerEvidence)];
  if (isDenied) {
    const cause = `the agent was denied ${denied.join(', ')} and ended without an error`;
    const incident = incidentFor(turn, 'permission_denied', attempt, turn.at);
    return carryOutRecovery(turn, observed(turn, incident, incident.class, cause, evidence));
  }
  const fault = machineFault(turn.state, blockers, turn.at);
  if (fault !== undefined && fault.failureType !== 'success')
    return carryOutRecovery(
      turn,
      diagnosed(turn, incidentFor(turn, fault.failureType, attempt, turn.at), fault),
    );
  const diagnosis = {
    ...observedDiagnosis('false_success', falseSuccess(first, changed), evidence),
    fingerprint: refusalFingerprint(blockers),
  };
  closeChanged(turn, blockers, diagnosis);
  carryOutRecovery(turn, diagnosed(turn, incidentFor(turn, 'false_success', attempt, turn.at), diagnosis));
}

/** What the gate says, without numbers: "got 5" and "got 7" are one failure. It is made of words because stored lessons hold it. */
function refusalFingerprint(blockers: readonly Blocker[]): string {
  const said = blockers.flatMap((found) =>
    'output' in found && found.output.length > 0 ? found.output : [blockerCase(found)],
  );
  const kind = blockers.map((found) => keyText(blockerKey(found))).join('\n');
  return fingerprint('false_success', kind, said.join('\n').replaceAll(/\d+/g, '#'));
}

/** Closes the incident of an earlier refusal if the gate now says something else: past if its checks pass now, otherwise changed. */
function closeChanged(turn: Turn, blockers: readonly Blocker[], diagnosis: Diagnosis): void {
  const { checks } = turn.state;
  const open = openIncident(turn.state);
  const before = open?.class === 'false_success' ? open.diagnosis?.fingerprint : undefined;
  if (before === undefined || before === diagnosis.fingerprint || !isExactFingerprint(before)) return;
  const failed = checks.filter((one) => one.purpose === 'gate' && !one.passed && one.at < turn.at);
  const last = failed.filter(({ tree }) => tree === failed.at(-1)?.tree).map(({ command }) => command);
  const isStill = blockers.some((found) => 'command' in found && last.includes(found.command));
  if (last.length > 0 && !isStill) resolve(turn, `${[...new Set(last)].join(', ')} passes now`);
  changedInto(turn, diagnosis.rootCause);
}

/** The tools that the agent was denied at the end of its attempt. No retry helps then; only a person can allow them. */
function deniedAtLast({ attempts }: RunState): readonly string[] {
  const examination = attempts.at(-1)?.examination ?? null;
  return examination === null ? [] : deniedWork(examination);
}

function falseSuccess(first: Blocker, changed: readonly string[]): string {
  const what = blockerEvidence(first)[0] ?? '';
  // Where the code tells everything, there is nothing to name.
  if (what === '') return blockerSays(first.code);
  const lines = 'output' in first ? first.output.slice(0, 2).map((text) => text.trim()) : [];
  const said = lines.length === 0 ? '' : `: ${wholeWords(lines.join(' '), MAX_SAID_CHARS)}`;
  const fails =
    first.code === 'check_failed' && 'exitCode' in first ? checkFails(first) : blockerHeadline(first);
  return `${fails}${said}${changed.length === 0 ? ' (no file changed)' : ''}`;
}
