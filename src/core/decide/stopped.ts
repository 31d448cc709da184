/** `stopped`, `askPutAside`: a person stopped the run; it asks nothing until `resume`, then its open question again. */
import { candidateTree } from '../state/last-tree.ts';
import { openQuestion, type RunState } from '../state/run-state.ts';
import { askOnceMore } from './question/ask.ts';
import type { Turn } from './turn.ts';

/** Puts an open question aside, so that the inbox does not show it. */
export function stopped(turn: Turn): void {
  const { reason, by } = turn.state.asked.stop ?? { reason: '', by: 'a person' };
  turn.cancel('retry', 'question');
  turn.decide({
    type: 'stopped',
    by,
    reason: `stopped by ${by}${reason ? `: ${reason}` : ''}`,
    question: openQuestion(turn.state)?.question.id ?? null,
  });
}

/** Asks the question that the stop put aside, if it is about the work as it is now. Returns false if there is none. */
export function askPutAside(turn: Turn, { life, questions }: RunState): boolean {
  const aside = life.type === 'waiting' ? (life.stopped?.question ?? null) : null;
  const asked = questions.find(({ question }) => question.id === aside);
  if (asked === undefined) return false;
  const tree = asked.question.about?.tree;
  if (tree !== undefined && tree !== candidateTree(turn.state)) return false;
  askOnceMore(turn, asked);
  return true;
}
