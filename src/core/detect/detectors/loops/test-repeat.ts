/** `testRepeat`: notices that the tests run again and fail the same way although nothing was edited in between. */
import { type Detector, type Level, levelOf, quote, raise, severityOf } from '../../detector.ts';
import { changes } from '../../staleness.ts';
import type { Trail } from '../../trail.ts';
import type { AgentTurn } from '../../agent-turn.ts';

export const testRepeat: Detector<Level> = {
  name: 'tests again without an edit',
  init: 0,
  next: (raised, { turn, trail, policy }) => {
    if (turn === null) return [raised, []];
    if (changes(turn)) return [0, []];
    if (turn.kind !== 'test' || !turn.failed || turn.waiting !== null) return [raised, []];
    const runs = equalRuns(turn, trail);
    const level = levelOf(runs.length, policy.loop_warn, policy.loop_stop);
    if (level === 0 || level <= raised) return [level, []];
    return raise(level, turn, turn.step, {
      type: 'test_repeat',
      severity: severityOf(level),
      reason: `the tests were run ${runs.length} times with the same failure and no edit in between`,
      sinceAt: (runs.at(-1) as AgentTurn).startedAt,
      sinceStep: (runs.at(-1) as AgentTurn).callStep,
      evidence: [quote(turn.input), quote(turn.errorLine)],
      confidence: level === 2 ? 0.9 : 0.65,
      suggestedAction: 'give the agent the failing test and its cause; running it again tells nothing',
      disproof: 'an edit before the next run, or a different failure',
    });
  },
};

function equalRuns(turn: AgentTurn, { turns, treeStep }: Trail): readonly AgentTurn[] {
  const runs: AgentTurn[] = [];
  for (let i = turns.length - 1; i >= 0; i--) {
    const other = turns[i] as AgentTurn;
    if ((other.mayChangeResults && other.call !== turn.call) || other.step < treeStep) break;
    if (
      other.kind === 'test' &&
      other.failed &&
      other.waiting === null &&
      other.error === turn.error &&
      other.callLoose === turn.callLoose
    ) {
      runs.push(other);
    }
  }
  return runs;
}
