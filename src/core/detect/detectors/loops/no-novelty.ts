/** `noNovelty`: notices calls that add little: it sums staleness, so one new result makes up for one repetition. */
import { type Detector, type Level, levelOf, quote, raise, severityOf } from '../../detector.ts';
import { staleness } from '../../staleness.ts';
import type { AgentTurn } from '../../agent-turn.ts';

interface NoveltyState {
  readonly excess: number;
  /** Where the sum rose above zero. */
  readonly since: { readonly step: number; readonly at: number } | null;
  readonly raised: Level;
}

const FRESH: NoveltyState = { excess: 0, since: null, raised: 0 };
/** Makes sums of tenths compare exactly. */
const ROUNDING = 1e-9;
const EVIDENCE = 4;

export const noNovelty: Detector<NoveltyState> = {
  name: 'novelty run dry',
  init: FRESH,
  next: (state, { turn, trail, policy }) => {
    if (trail.turns.length === 0) return [FRESH, []];
    if (turn === null || isNoWork(turn)) return [state, []];
    const excess = Math.max(
      0,
      state.excess + staleness(trail.turns, trail.treeStep) - policy.stale_allowance,
    );
    if (excess <= ROUNDING) return [FRESH, []];
    const since = state.since ?? { step: turn.callStep, at: turn.startedAt };
    const level = levelOf(excess + ROUNDING, policy.stale_warn, policy.stale_stop);
    const next = { excess, since, raised: level };
    if (level === 0 || level <= state.raised) return [next, []];
    const stale = trail.turns.filter((each) => each.callStep >= since.step);
    return raise(next, turn, turn.step, {
      type: 'no_novelty',
      severity: severityOf(level),
      reason: `the last ${stale.length} calls brought next to nothing new: ${summary(stale)}`,
      sinceAt: since.at,
      sinceStep: since.step,
      evidence: stale
        .slice(-EVIDENCE)
        .map((each) => quote(each.errorLine === '' ? each.input : `${each.input}: ${each.errorLine}`)),
      confidence: Math.min(0.95, 0.4 + excess / (2.5 * policy.stale_stop)),
      suggestedAction:
        level === 2
          ? 'stop the agent and resume it with what was tried, what failed and one different way to start'
          : 'ask the agent what it has learned and what it will do differently',
      disproof: 'a new file, a changed check result, or answers that were not seen before',
    });
  },
};

/** True for waiting and planning, which bring nothing new and are no loop. Calls that failed side by side count as one failure. */
export function isNoWork(turn: AgentTurn): boolean {
  return (
    turn.waiting !== null || turn.kind === 'plan' || turn.kind === 'ask' || (turn.sibling && turn.failed)
  );
}

function summary(turns: readonly AgentTurn[]): string {
  const failed = turns.filter((turn) => turn.failed).length;
  const barren = turns.filter((turn) => !turn.failed && turn.barren).length;
  const parts: readonly (readonly [count: number, what: string])[] = [
    [failed, 'failed'],
    [barren, 'came back empty'],
    [turns.length - failed - barren, 'repeated what was known'],
  ];
  return parts.flatMap(([count, what]) => (count === 0 ? [] : [`${count} ${what}`])).join(', ');
}
