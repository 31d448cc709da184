/** From a prepared workspace to the first attempt that may change something: what may change, what is decided, who agreed. */
import type { Blocker } from '../blocker.ts';
import type { IncidentClass } from '../event.ts';
import { withoutApproved } from '../gates/approvals.ts';
import { candidateTree } from '../gates/candidate-tree.ts';
import { exploreGate, scopeSentence } from '../gates/explore-gate.ts';
import { askAboutBlocker } from './ask.ts';
import { diagnosed, escalate, incidentFor } from './incident.ts';
import { observedDiagnosis } from './incident-diagnosis.ts';
import { planAttempt } from './plan-attempt.ts';
import type { Turn } from './turn.ts';

/** Asked at the start, after the agent's proposal, and after every answer in between. */
export function beginWork(turn: Turn): void {
  const tree = candidateTree(turn.state);
  const { open, used } = withoutApproved(turn.state, tree, exploreGate(turn.state));
  const first = open[0];
  if (first !== undefined) return blockedBeforeWork(turn, open, first);
  const isLooking = turn.state.explore === 'looking';
  if (!isLooking) {
    const by = turn.state.explore === 'proposed' ? 'proposal confirmed by policy' : scopeSentence(turn.state);
    turn.decide({ type: 'gate_passed', stage: 'build', tree, reason: by, approvals: used });
  }
  const { task, attempts, life } = turn.state;
  if (attempts.length > 0) return planAttempt(turn, null, confirmedNote(turn));
  if (task.checks.length === 0) return planAttempt(turn, null, confirmedNote(turn));
  if (life.type !== 'preparing') turn.decide({ type: 'gate_asked', tree });
  turn.command({ type: 'run_checks', purpose: 'baseline', tree });
}

function blockedBeforeWork(turn: Turn, blockers: readonly Blocker[], first: Blocker): void {
  turn.decide({ type: 'blocked', blockers });
  if (isPlanned(turn, first)) return askAboutBlocker(turn, first);
  const code = first.code as IncidentClass;
  const incident = incidentFor(turn, code, turn.state.attempts.length, turn.at);
  const cause = `${first.evidence.join('; ') || first.code}`;
  escalate(
    turn,
    diagnosed(turn, incident, observedDiagnosis(code, cause, first.evidence)),
    first.returnsTo,
    'what may change is decided by a person before anything changes',
  );
  askAboutBlocker(turn, first);
}

/** Whoever asks an agent to look first wants to be asked: that is no trouble, and no incident. */
function isPlanned({ state }: Turn, { code, evidence: [first = '', why = ''] }: Blocker): boolean {
  if (state.explore !== 'proposed') return false;
  return code === 'approval_missing' ? first.startsWith('proposed scope:') : why.startsWith('the agent asks');
}

/** What was decided before the work, for the agent. */
export function confirmedNote({ state }: Turn): string | null {
  const told = state.judgments.map(({ question, answer }) => `Decided: ${question} ${answer}`);
  const begin = state.explore === 'confirmed' ? ['The scope is confirmed; do the work now.'] : [];
  const lines = [...begin, ...told];
  return lines.length === 0 ? null : lines.join('\n');
}
