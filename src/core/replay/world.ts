/** `World`: one of the two worlds of a replay: its state, its timers, and the decisions that the other has not taken yet. */
import type { TimerChange } from '../vocabulary/events/command.ts';
import type { Decision } from '../vocabulary/events/event.ts';
import type { RunState } from '../state/run-state.ts';
import { decisionLine, type DecisionLine, sameWay } from './decision-line.ts';

export class World {
  state: RunState;
  readonly timers = new Map<string, number>();
  /** Not yet seen on the other side. Left out: waits, as a longer pause is no other way, and what an answer that both heard changes. */
  ahead: DecisionLine[] = [];

  constructor(state: RunState) {
    this.state = state;
  }

  take(state: RunState, decisions: readonly Decision[], timers: TimerChange): void {
    this.state = state;
    for (const name of timers.cancel) this.timers.delete(name);
    for (const { name, dueAt } of timers.set) this.timers.set(name, dueAt);
    this.ahead.push(
      ...decisions.map(decisionLine).filter(({ type }) => type !== 'waiting' && type !== 'answer_applied'),
    );
  }

  get waitsToRetry(): boolean {
    return this.state.life.type === 'waiting' && this.timers.has('retry');
  }
}

/** Removes the decisions that both took. True when the rest cannot be explained by one of them waiting longer. */
export function haveParted(one: World, other: World): boolean {
  let same = 0;
  while (same < one.ahead.length && same < other.ahead.length) {
    if (!sameWay(one.ahead[same] as DecisionLine, other.ahead[same] as DecisionLine)) return true;
    same += 1;
  }
  one.ahead = one.ahead.slice(same);
  other.ahead = other.ahead.slice(same);
  if (one.ahead.length > 0) return !other.waitsToRetry;
  return other.ahead.length > 0 && !one.waitsToRetry;
}
