/** `RunTeller`: hands out a run's journal event by event, also while it is being written, each with the state that has folded it. */
import type { RunEvent } from '../core/vocabulary/events/event.ts';
import { createState } from '../core/state/create-state.ts';
import { evolve } from '../core/state/evolve.ts';
import type { RunState } from '../core/state/run-state.ts';
import type { RunRecord } from '../record/contract.ts';
import { readEvent } from './load-state.ts';

export type Listener = (event: RunEvent, state: RunState) => void;

export class RunTeller {
  readonly #record: RunRecord;
  readonly #runId: string;
  readonly #listener: Listener;
  #state: RunState | null = null;
  #queue: Promise<void> = Promise.resolve();

  constructor(record: RunRecord, runId: string, listener: Listener) {
    this.#record = record;
    this.#runId = runId;
    this.#listener = listener;
  }

  /** Null until the first event was told. */
  get state(): RunState | null {
    return this.#state;
  }

  /** Tells the new events. Calls may overlap; the events are still told one after the other. */
  tell(): Promise<void> {
    this.#queue = this.#queue.then(() => this.#tellNew());
    return this.#queue;
  }

  async #tellNew(): Promise<void> {
    for (const stored of await this.#record.events(this.#runId, this.#state?.seq ?? 0)) {
      const event = readEvent(stored);
      if (this.#state !== null) this.#state = evolve(this.#state, event);
      else if (event.type === 'run_created') this.#state = createState(this.#runId, event);
      if (this.#state !== null) this.#listener(event, this.#state);
    }
  }
}
