/** `sameCall`: notices the same call with the same result, or one failure after another, and no change in between. */
import { callText, type Detector, type Level, levelOf, quote, raise, severityOf } from '../../detector.ts';
import type { Trail } from '../../trail.ts';
import type { AgentTurn } from '../../agent-turn.ts';

interface Repeats {
  readonly count: number;
  readonly first: AgentTurn;
  /** All of them had the same result; otherwise all of them failed, each in its way. */
  readonly isSame: boolean;
}

export const sameCall: Detector<Level> = {
  name: 'same call and result',
  init: 0,
  next: (raised, { turn, trail, policy }) => {
    if (turn === null || turn.sibling || turn.waiting !== null) return [raised, []];
    const { count, first, isSame } = repeats(turn, trail);
    const level = levelOf(count, policy.loop_warn, policy.loop_stop);
    if (level === 0 || level <= raised) return [level, []];
    const ended = isSame ? 'with the same result' : 'with one error or another';
    return raise(level, turn, turn.step, {
      type: 'looping',
      severity: severityOf(level),
      reason: `${callText(turn)}: ${count} times ${ended}, nothing changed in between`,
      sinceAt: first.startedAt,
      sinceStep: first.callStep,
      evidence: [quote(turn.input), ...(turn.errorLine === '' ? [] : [quote(turn.errorLine)])],
      confidence: level === 2 ? 0.95 : 0.7,
      suggestedAction:
        level === 2
          ? 'stop the agent and resume it with what failed and why the call cannot succeed'
          : 'tell the agent that this call will not change',
      disproof: 'a changed tree, a new check result or a different answer to the same call',
    });
  },
};

/** The equal turns back to the first of them, as long as they are at least half of all turns since then. */
function repeats(turn: AgentTurn, { turns, treeStep }: Trail): Repeats {
  let count = 1;
  let first = turn;
  let others = 0;
  let isSame = true;
  for (let i = turns.length - 2; i >= 0; i--) {
    const other = turns[i] as AgentTurn;
    // Repeating the same edit changes the tree each time, but is not progress.
    const isChange = other.mayChangeResults && other.call !== turn.call;
    if (turn.kind !== 'edit' && (isChange || other.step < treeStep)) break;
    if (other.sibling || other.waiting !== null) continue;
    if (other.call === turn.call && (other.result === turn.result || (other.failed && turn.failed))) {
      count++;
      first = other;
      isSame &&= other.result === turn.result;
    } else if (++others > count) break;
  }
  return { count, first, isSame };
}
