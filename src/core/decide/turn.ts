/** `Turn`: one turn of the core. Each decision is folded into the state at once, so that the next choice sees it. */
import type { Command, KeyedCommand, TimerChange } from '../vocabulary/events/command.ts';
import type { Decision, Fact } from '../vocabulary/events/event.ts';
import { evolve } from '../state/evolve.ts';
import { markWithoutChance } from '../text/quote-fenced.ts';
import type { RunState } from '../state/run-state.ts';

type WithoutTime<T> = T extends unknown ? Omit<T, 'at'> : never;

export class Turn {
  state: RunState;
  readonly at: number;
  readonly mark: string;
  readonly decisions: Decision[] = [];
  readonly commands: KeyedCommand[] = [];
  readonly #set = new Map<string, number>();
  readonly #cancel = new Set<string>();

  constructor(state: RunState, { at, chance }: Pick<Fact, 'at' | 'chance'>) {
    this.state = state;
    this.at = at;
    this.mark = chance ?? markWithoutChance(`${state.runId}:${state.createdAt}`);
  }

  decide(decision: WithoutTime<Decision>): void {
    const event = { ...decision, at: this.at } as Decision;
    this.state = evolve(this.state, event);
    this.decisions.push(event);
  }

  command(command: Command): void {
    this.commands.push({
      key: `${this.state.runId}.${this.state.seq}.${this.commands.length}.${command.type}`,
      command,
    });
  }

  timer(name: string, dueAt: number): void {
    this.#cancel.delete(name);
    this.#set.set(name, dueAt);
  }

  cancel(...names: readonly string[]): void {
    for (const name of names) {
      this.#set.delete(name);
      this.#cancel.add(name);
    }
  }

  get timers(): TimerChange {
    return { set: [...this.#set].map(([name, dueAt]) => ({ name, dueAt })), cancel: [...this.#cancel] };
  }
}
