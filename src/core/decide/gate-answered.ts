/** What an answer to a blocker does. Where the work is fine and only a word was missing, no agent is started for it. */
import { isBeforeWork } from '../evolve-answer.ts';
import type { BlockerCode } from '../blocker.ts';
import { keyCode } from '../gates/approvals.ts';
import { candidateTree, savedTree } from '../gates/candidate-tree.ts';
import type { RunState } from '../run-state.ts';
import { unableCheck } from './cannot-run.ts';
import { beginWork } from './on-explore.ts';
import { deliverAgain, deliverWork, startGate } from './on-gate.ts';
import { examineAgain } from './plan-attempt.ts';
import type { Turn } from './turn.ts';

/** False: the answer is for the agent. */
export function gateAnswered(turn: Turn, option: string, before: RunState): boolean {
  const atSink = before.passed !== null;
  const atGate = before.blockers.length > 0;
  switch (option) {
    case 'expand_scope':
      // The gate is asked again first; a new attempt only if it says no.
      askAgain(turn, before);
      return true;
    case 'waive_with_reason':
      if (!atGate || openAbout(before).length === 0) deliverWork(turn);
      else askAgain(turn, before);
      return true;
    case 'record_judgment':
      if (!atGate) return false;
      askAgain(turn, before);
      return true;
    case 'answer_question':
      // A flag that the agent raised under that name is answered to the agent.
      if (!before.blockers.some(({ code }) => code === 'decision_pending') || openAbout(before).length === 0)
        return false;
      askAgain(turn, before);
      return true;
    case 'retry':
      if (atSink) deliverAgain(turn);
      else if (before.attempts.length === 0 && unableCheck(before) !== undefined) beginWork(turn);
      else if (isAsked(before, 'work_not_saved')) examineAgain(turn, turn.state.attempts.length);
      else if (before.blockers[0]?.code === 'check_not_recorded') startGate(turn);
      else return false;
      return true;
    case 'fix_sink':
    case 'choose_patch_output':
      if (atSink) deliverAgain(turn);
      else startGate(turn);
      return true;
    case 'split_work': {
      const tree = savedTree(turn.state);
      turn.decide({ type: 'gate_asked', tree });
      turn.command({ type: 'split_work', tree, allowed: turn.state.scope.allowed });
      return true;
    }
    case 'rebase': {
      const tree = candidateTree(turn.state);
      turn.decide({ type: 'gate_asked', tree });
      turn.command({ type: 'rebase_work', tree });
      return true;
    }
    default:
      return false;
  }
}

/** Whether the open question is about this blocker. */
function isAsked(before: RunState, code: BlockerCode): boolean {
  return openAbout(before).some((key) => keyCode(key) === code);
}

function askAgain(turn: Turn, before: RunState): void {
  if (isBeforeWork(before)) return beginWork(turn);
  if (before.passed !== null) return deliverAgain(turn);
  startGate(turn);
}

function openAbout(before: RunState): readonly string[] {
  return before.questions.findLast(({ state }) => state === 'open')?.question.about?.blockers ?? [];
}
