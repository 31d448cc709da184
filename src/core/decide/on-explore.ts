/** `beginWork`, `confirmedNote`: lead from a prepared workspace to the first attempt that may change files. */
import type { Blocker } from '../vocabulary/blockers/blocker-rule.ts';
import { blockerEvidence } from '../vocabulary/blockers/blocker-evidence.ts';
import { withoutApproved } from '../gates/approvals.ts';
import { candidateTree } from '../state/last-tree.ts';
import { exploreGate, scopeSentence } from '../gates/explore-gate.ts';
import { askAboutBlocker } from './question/ask.ts';
import { confirmedProposal, proposalTaken } from './question/consequence-of.ts';
import { escalate, incidentFor, observed } from './recovery/incident.ts';
import { planAttempt } from './plan-attempt.ts';
import type { Turn } from './turn.ts';
import { quoteFenced } from '../text/quote-fenced.ts';

/** Called at the start, after the agent's proposal, and after every answer in between. */
export function beginWork(turn: Turn): void {
  const tree = candidateTree(turn.state);
  const { open, used } = withoutApproved(turn.state, tree, exploreGate(turn.state));
  const first = open[0];
  if (first !== undefined) return blockedBeforeWork(turn, open, first);
  const isLooking = turn.state.explore === 'looking';
  if (!isLooking) {
    const isProposed = turn.state.explore === 'proposed';
    const reason = isProposed ? 'proposal confirmed by policy' : scopeSentence(turn.state);
    const changes = isProposed ? { changes: confirmedProposal(proposalTaken(turn.state), 'policy') } : {};
    turn.decide({ type: 'gate_passed', stage: 'build', tree, reason, approvals: used, ...changes });
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
  const incident = incidentFor(turn, first.code, turn.state.attempts.length, turn.at);
  const evidence = blockerEvidence(first);
  const cause = evidence.join('; ') || first.code;
  const explained = observed(turn, incident, first.code, cause, evidence);
  escalate(
    turn,
    explained,
    first.returnsTo,
    'what may change is decided by a person before anything changes',
  );
  askAboutBlocker(turn, first);
}

/** A person who lets an agent explore first expects to be asked, so the question opens no incident. */
function isPlanned({ state }: Turn, { source }: Blocker): boolean {
  return state.explore === 'proposed' && (source === 'proposal' || source === 'agent');
}

export function confirmedNote({ state, mark }: Turn): string | null {
  const told = state.judgments.map(
    ({ question, answer }) => `Decided: ${quoteFenced(question, mark)} ${answer}`,
  );
  const begin = state.explore === 'confirmed' ? ['The scope is confirmed; do the work now.'] : [];
  const lines = [...begin, ...told];
  return lines.length === 0 ? null : lines.join('\n');
}
