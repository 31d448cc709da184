/** `cycle`: notices a round of several calls that begins again: A B C A B C. */
import { callText, type Detector, type Level, levelOf, raise, severityOf } from '../../detector.ts';
import type { AgentTurn } from '../../agent-turn.ts';
import { followRuns, roundsOf } from '../../rounds.ts';

interface CycleState {
  readonly recent: readonly AgentTurn[];
  readonly runs: readonly number[];
  readonly raised: Level;
  readonly treeStep: number;
}

/** Limits the memory per run; `noNovelty` catches longer cycles. */
const CYCLE_LENGTH = 16;

const START: CycleState = { recent: [], runs: [], raised: 0, treeStep: -1 };

export const cycle: Detector<CycleState> = {
  name: 'cycle of calls',
  init: START,
  next: (state, { turn, trail, policy }) => {
    if (trail.turns.length === 0) return [START, []];
    if (turn === null || turn.waiting !== null) return [state, []];
    const fresh = trail.treeStep > state.treeStep && turn.kind !== 'edit';
    const recent = fresh ? [] : state.recent;
    const runs = followRuns(state.runs, recent, turn, CYCLE_LENGTH, isSameTurn);
    const next = { recent: [...recent.slice(1 - CYCLE_LENGTH), turn], runs, treeStep: trail.treeStep };
    const found = foundCycle(runs, policy.cycle_turns);
    if (found === null) return [{ ...next, raised: 0 }, []];
    const { length, rounds } = found;
    const level = levelOf(rounds, policy.cycle_turns - 1, policy.cycle_turns);
    if (level === 0 || level <= state.raised) return [{ ...next, raised: level }, []];
    const round = next.recent.slice(-length);
    return raise({ ...next, raised: level }, turn, turn.step, {
      type: 'looping',
      severity: severityOf(level),
      reason: `the same ${length} calls in the same order, ${rounds} times, with the same results`,
      sinceAt: (round[0] as AgentTurn).startedAt,
      sinceStep: (round[0] as AgentTurn).callStep,
      evidence: round.slice(0, EVIDENCE).map((each) => callText(each)),
      confidence: level === 2 ? 0.95 : 0.6,
      suggestedAction:
        'stop the agent and resume it with the round it keeps making and what is missing to leave it',
      disproof: 'a call outside the round, or a different result inside it',
    });
  },
};

const EVIDENCE = 6;

function isSameTurn(one: AgentTurn, other: AgentTurn): boolean {
  return one.call === other.call && one.result === other.result;
}

/** The shortest round of two or more different calls. `sameCall` handles one repeated call. */
function foundCycle(runs: readonly number[], turns: number): { length: number; rounds: number } | null {
  if ((runs[0] ?? 0) > 1) return null;
  for (let k = 2; k <= runs.length; k++) {
    const rounds = roundsOf(runs, k);
    if (rounds >= Math.max(2, turns - 1)) return { length: k, rounds };
  }
  return null;
}
