/** `acceptRefusal`: the reason why a person's `accept` cannot be taken as it is; null: it can. */
import { liveAttempt, type RunState } from '../state/run-state.ts';
import { candidateTree } from '../state/last-tree.ts';

export type AcceptRefusal = 'no_workspace' | 'nothing_to_deliver' | 'note_missing';

/** A live attempt may still write something: whether there is work to deliver is known only when it has ended. */
export function acceptRefusal(state: RunState, note: string): AcceptRefusal | null {
  const { life, workspace } = state;
  if (workspace === null || life.type === 'preparing') return 'no_workspace';
  const isUnderWay = liveAttempt(state) !== undefined || life.type === 'examining';
  if (!isUnderWay && candidateTree(state) === workspace.baseTree) return 'nothing_to_deliver';
  return note.trim() === '' && (isUnderWay || !isProven(state)) ? 'note_missing' : null;
}

function isProven(state: RunState): boolean {
  const tree = candidateTree(state);
  const { checks } = state.task;
  const results = state.checks.filter((check) => check.purpose === 'gate' && check.tree === tree);
  return (
    checks.length > 0 &&
    checks.every((command) => results.findLast((check) => check.command === command)?.passed === true) &&
    !state.delivery.blockers.some(({ stage }) => stage !== 'materialize')
  );
}
