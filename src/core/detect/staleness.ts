/** `staleness`, `changes`: how little a turn added to what the agent already knew or had done: 0 is new, 1 is a repetition. */
import type { AgentTurn } from './agent-turn.ts';

export const STALENESS = {
  /** The same call with the same result, and no change in between. */
  pair: 1,
  /** The same call with a result that begins the same. */
  nearPair: 0.9,
  /** A call that does nothing at all: an empty command, a comment. */
  idle: 0.8,
  /** Another call with exactly the same long result. */
  result: 0.8,
  /** Another call with an error that was met before. */
  error: 0.8,
  /** Another call with the same kind of complaint: still not found, still rejected. */
  complaint: 0.7,
  /** Something was changed in between, but the call fails as before. */
  flat: 0.6,
  /** A new failure teaches something; several in a row teach less. */
  freshFailure: 0.3,
  failureAgain: 0.5,
  /** A read or search that found nothing; after two others that found nothing, and after four. */
  barren: 0.5,
  barrenAgain: 0.7,
  barrenStill: 0.9,
  /** The same call with another result, or after a change. */
  call: 0.2,
  fresh: 0,
} as const;

export type StalenessWeights = Readonly<Record<keyof typeof STALENESS, number>>;

/** Shorter results ("file updated", "ok") are equal for different calls and mean nothing. */
const TELLING_CHARS = 200;

/** How stale the last of `turns` is. `treeStep`: the step at which Mayday itself last saw a new tree. */
export function staleness(
  turns: readonly AgentTurn[],
  treeStep: number,
  weights: StalenessWeights = STALENESS,
): number {
  const turn = turns.at(-1);
  if (turn === undefined) return weights.fresh;
  if (turn.kind === 'idle') return weights.idle;
  let best = weights[alone(turn, turns)];
  let changedSince = false;
  for (let i = turns.length - 2; i >= 0 && best < weights.pair; i--) {
    const other = turns[i] as AgentTurn;
    const like = likeness(turn, other, changedSince || other.step < treeStep);
    // Most turns are not alike at all, and that is never worth more.
    if (like !== 'fresh' && weights[like] > best) best = weights[like];
    changedSince ||= other.mayChangeResults && other.call !== turn.call;
  }
  return best;
}

/** True: the turn is an accepted edit. Only a check can tell whether it helped. */
export function changes(turn: AgentTurn): boolean {
  return turn.kind === 'edit' && !turn.failed;
}

type Likeness = keyof StalenessWeights;

function alone(turn: AgentTurn, turns: readonly AgentTurn[]): Likeness {
  if (turn.failed) return turns.at(-2)?.failed === true ? 'failureAgain' : 'freshFailure';
  if (!looked(turn) || !turn.barren) return 'fresh';
  const before = barrenBefore(turns);
  return before >= 4 ? 'barrenStill' : before >= 2 ? 'barrenAgain' : 'barren';
}

function barrenBefore(turns: readonly AgentTurn[]): number {
  let count = 0;
  for (let i = turns.length - 2; i >= 0; i--) {
    const { barren, failed, kind } = turns[i] as AgentTurn;
    if (kind === 'plan') continue;
    if (!failed && !barren) break;
    count++;
  }
  return count;
}

function likeness(turn: AgentTurn, other: AgentTurn, changedSince: boolean): Likeness {
  const sameCall = turn.call === other.call;
  if (turn.kind !== 'edit' && changedSince) return likenessAfterChange(turn, other, sameCall);
  if (sameCall) {
    if (turn.result === other.result) return 'pair';
    if (turn.opening === other.opening && (turn.failed || !looked(turn))) return 'nearPair';
  }
  if (turn.resultLength > TELLING_CHARS && turn.result === other.result && !isNewEdit(turn, other)) {
    return 'result';
  }
  if (turn.error !== 0 && turn.error === other.error) return 'error';
  if (turn.complaint !== 0 && turn.complaint === other.complaint) return 'complaint';
  return sameCall ? 'call' : 'fresh';
}

function likenessAfterChange(turn: AgentTurn, other: AgentTurn, sameCall: boolean): Likeness {
  if (turn.error !== 0 && turn.error === other.error) return 'flat';
  if (turn.complaint !== 0 && turn.complaint === other.complaint) return 'barren';
  return sameCall ? 'call' : 'fresh';
}

/** Editors confirm every edit with the same text. Only a similar edit with a similar answer changed nothing. */
function isNewEdit(turn: AgentTurn, other: AgentTurn): boolean {
  return changes(turn) && turn.callLoose !== other.callLoose;
}

function looked(turn: AgentTurn): boolean {
  return turn.kind === 'read' || turn.kind === 'search';
}
