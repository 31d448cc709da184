/** `signalRaised`, `attemptEnded`, `attemptUnkillable`, `attemptExamined`: what follows from an attempt's signals and its end. */
import { incidentDiagnosis } from './recovery/incident-diagnosis.ts';
import type { FactOf } from '../vocabulary/events/event.ts';
import type { Examination } from '../vocabulary/events/examination.ts';
import { savedTree } from '../state/last-tree.ts';
import { currentAttempt, type Attempt, type RunState } from '../state/run-state.ts';
import { ask } from './question/ask.ts';
import { listedPaths } from '../vocabulary/blockers/words.ts';
import { optionFor } from '../vocabulary/questions/resolution.ts';
import { NUDGE_TIMER, nudgeFirst } from './nudge.ts';
import { classify } from './recovery/classify.ts';
import { stops } from '../vocabulary/signal.ts';
import { BUDGET_TIMER } from './recovery/hard-budget.ts';
import { diagnosed, incidentFor, resolveByProgress } from './recovery/incident.ts';
import { askForAgent, isHeardAtOnce, questionOf } from './on-agent-question.ts';
import { beginWork } from './on-explore.ts';
import { askAboutFlag, raisedByAgent } from './on-flag.ts';
import { abandon, deliverWork } from './on-delivery.ts';
import { startGate } from './on-gate.ts';
import { carryOutRecovery } from './recovery/carry-out-recovery.ts';
import { stopped } from './stopped.ts';
import { stopForSignal } from './stop-attempt.ts';
import type { Turn } from './turn.ts';

/** A warning is recorded and shown; a critical signal is first told to the agent where that may help, and then stops the attempt. */
export function signalRaised(turn: Turn, { attempt, signal }: FactOf<'signal_raised'>): void {
  if (signal.severity !== 'critical' || turn.state.life.type !== 'working' || !stops(signal)) return;
  if (!nudgeFirst(turn, signal)) stopForSignal(turn, attempt, signal);
}

export function attemptEnded(turn: Turn, before: RunState): void {
  // Its host was lost after it ended: the command to examine what is left is on record.
  if (before.life.type === 'examining') return;
  const attempt = currentAttempt(turn.state) as Attempt;
  const cause = before.life.type === 'stopping' ? before.life.why : null;
  turn.cancel('timeout', NUDGE_TIMER, BUDGET_TIMER, 'question');
  turn.command({ type: 'examine_attempt', attempt: attempt.number, cause });
}

export function attemptUnkillable(turn: Turn, { evidence }: FactOf<'attempt_unkillable'>): void {
  ask(turn, {
    kind: 'unkillable',
    text: 'A process of the ended attempt cannot be killed (uninterruptible). No new attempt starts while it lives. Look again?',
    whyNow: 'two live attempts in one run would destroy work',
    options: [
      { id: 'retry', label: 'look again', effect: 'goes on as soon as the process is gone' },
      optionFor('abandon'),
    ],
    evidence,
    failure: { code: 'frozen', returnsTo: null, evidence },
  });
}

export function attemptExamined(
  turn: Turn,
  { examination }: FactOf<'attempt_examined'>,
  before: RunState,
): void {
  const attempt = currentAttempt(turn.state) as Attempt;
  noteTampering(turn, examination);
  if (before.explore === 'looking') noteLooking(turn, examination);
  if (savedTree(before) !== savedTree(turn.state))
    resolveByProgress(turn, 'the tree changed after the resume');
  const { asked, delivery } = turn.state;
  if (asked.abandon !== null) {
    const { by, reason } = asked.abandon;
    return abandon(turn, `stopped for good by ${by}${reason ? `: ${reason}` : ''}`);
  }
  if (delivery.accepted !== null) return deliverWork(turn);
  if (attempt.endedBy === 'person' && asked.stop !== null) return stopped(turn);
  if (attempt.flagged !== null) return askAboutFlag(turn, attempt.flagged);
  if (examination.raised !== null) return raisedByAgent(turn, examination.raised, attempt);
  const endedWell = attempt.exitCode === 0 && attempt.signal === null && attempt.endedBy === 'itself';
  const asks = questionOf(turn.state);
  if (asks !== undefined && endedWell && isHeardAtOnce(turn.state, examination))
    return askForAgent(turn, asks, attempt);
  if (before.explore === 'looking' && examination.claimsDone && attempt.endedBy !== 'host')
    return beginWork(turn);
  if (
    examination.claimsDone &&
    (endedWell || attempt.endedBy === 'mayday' || attempt.endedBy === 'unobserved')
  )
    return startGate(turn);
  const incidentClass = classify(attempt, examination);
  const incident = incidentFor(turn, incidentClass, attempt.number, attempt.endedAt ?? turn.at);
  const diagnosis =
    incident.diagnosis !== null && incident.attempt === attempt.number
      ? incident.diagnosis
      : incidentDiagnosis(incident.class, attempt, examination);
  const explained = diagnosed(turn, incident, diagnosis);
  // Finished work needs no new attempt, so the gate checks it. If the gate refuses it, the run returns to this incident.
  if (finishedUndelivered(turn.state)) startGate(turn);
  else carryOutRecovery(turn, explained);
}

/** Notes each finding once and at once, whatever happens to the attempt. The gate asks about what the person's own git would run. */
function noteTampering(turn: Turn, examination: Examination): void {
  const { configChanged, configUndo = [], refsMoved = [], strangers = [] } = examination;
  const told = [
    ...configChanged.slice(0, 1).map(() => `git configuration or hooks changed: ${configChanged.join(', ')}`),
    ...configUndo,
    ...refsMoved.map((text) => `in your repository, while the agent worked: ${text}`),
    ...strangers.map(
      (text) => `outside the container, but in the workspace: ${text}; look at it before you trust it`,
    ),
  ];
  const known = new Set(turn.state.notes.map(({ text }) => text));
  for (const text of told) if (!known.has(text)) turn.decide({ type: 'noted', text });
}

function noteLooking(turn: Turn, { undone, partialWork }: Examination): void {
  const { created, changed, deleted } = partialWork;
  const paths = undone?.paths ?? [...created, ...changed, ...deleted];
  if (paths.length === 0) return;
  const what = `the agent should only look, but changed ${listedPaths(paths)}`;
  const then =
    undone === undefined
      ? 'in place, so it is left as it is'
      : `put back before the work begins, kept in checkpoint ${undone.checkpoint}`;
  turn.decide({ type: 'noted', text: `${what}: ${then}` });
}

/**
 * True: an attempt that timed out or crashed may have finished the work. A check that failed before the work is run again to find out.
 */
function finishedUndelivered(state: RunState): boolean {
  const { partialWork, checks, task } = state;
  const changed = partialWork.created.length + partialWork.changed.length + partialWork.deleted.length;
  if (changed === 0 || partialWork.missing.length > 0 || task.checks.length === 0) return false;
  const alreadyAsked = checks.some((check) => check.purpose === 'gate' && check.tree === savedTree(state));
  return !alreadyAsked && checks.some((check) => check.purpose === 'baseline' && !check.passed);
}
