/** `decidedEffects`: the commands and timers that follow from a journal whose turns are decided again. */
import { createState } from '../state/create-state.ts';
import type { KeyedCommand, TimerChange } from '../vocabulary/events/command.ts';
import type { RunEvent } from '../vocabulary/events/event.ts';
import { evolve } from '../state/evolve.ts';
import type { RunState } from '../state/run-state.ts';
import { begin, step } from '../step.ts';
import { journalTurns } from './journal-turns.ts';

export interface DecidedEffects {
  readonly commands: readonly KeyedCommand[];
  readonly timers: ReadonlyMap<string, number>;
  /** Last line of each turn that could not be decided again. */
  readonly unknownTurns: readonly number[];
}

export function decidedEffects(runId: string, events: readonly RunEvent[]): DecidedEffects {
  let state: RunState | null = null;
  const commands: KeyedCommand[] = [];
  const timers = new Map<string, number>();
  const unknownTurns: number[] = [];
  for (const { seq, fact, decisions, unread } of journalTurns(events)) {
    const before: RunState | null = state;
    state = fact.type === 'run_created' ? createState(runId, fact) : before && evolve(before, fact);
    for (const event of [...decisions, ...unread]) state = state && evolve(state, event);
    const again = fact.type === 'run_created' ? begin(runId, fact) : before && step(before, fact);
    if (
      again === null ||
      unread.length > 0 ||
      JSON.stringify(again.decisions) !== JSON.stringify(decisions)
    ) {
      unknownTurns.push(seq + decisions.length + unread.length);
      continue;
    }
    commands.push(...again.commands);
    // A timer that fired is gone with the fact, unless it is set anew.
    if (fact.type === 'timer_fired') timers.delete(fact.name);
    changeTimers(timers, again.timers);
  }
  return { commands, timers, unknownTurns };
}

export function changeTimers(timers: Map<string, number>, { set, cancel }: TimerChange): void {
  for (const name of cancel) timers.delete(name);
  for (const { name, dueAt } of set) timers.set(name, dueAt);
}
