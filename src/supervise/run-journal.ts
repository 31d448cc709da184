/**
 * `RunJournal`: a run as its owner holds it: the folded state, the fence, and `submit`, the only way to add events. A fact, what the core
 * decides on it, the commands, timers and evidence go to the record in one transaction; only then does the state move on.
 */
import { busMessages } from '../core/bus/run-messages.ts';
import type { Command } from '../core/vocabulary/events/command.ts';
import { EVENT_VERSION, type Fact, type FactOf, type RunEvent } from '../core/vocabulary/events/event.ts';
import { evolve } from '../core/state/evolve.ts';
import { ledgerEntries } from '../core/state/ledger-entries.ts';
import { currentAttempt, type RunState } from '../core/state/run-state.ts';
import { begin, type Step, step } from '../core/step.ts';
import { runRow } from '../core/view/run-row.ts';
import { changeTimers, decidedEffects } from '../core/replay/decided-effects.ts';
import { canonicalJson } from '../record/canonical-json.ts';
import type { RunRecord } from '../record/contract.ts';
import type { NewBusMessage } from '../record/contract/bus.ts';
import type { Redactor } from '../record/redaction/redact.ts';
import type { NewEvent } from '../record/contract/journal.ts';
import { loadState, readEvent } from './load-state.ts';
import { newChance } from './new-chance.ts';

type Redact = <T>(value: T) => T;

export interface Settling {
  /** Keys of the commands that end with this fact. */
  readonly settled?: readonly string[];
  /** Mailbox items that the fact came from. */
  readonly acknowledged?: readonly number[];
  /** The fact that is journaled instead if this one does not fit the run any more. */
  readonly otherwise?: Fact;
  /** The timer that the fact came from. It is removed with the fact, unless the core sets it again. */
  readonly fired?: string;
}

/** What every part of a keeper works with. */
export interface KeptRun {
  readonly home: string;
  readonly record: RunRecord;
  readonly journal: RunJournal;
  readonly env: NodeJS.ProcessEnv;
  readonly redactor: Redactor;
  readonly signal: AbortSignal;
}

export class RunJournal {
  readonly #record: RunRecord;
  readonly #redact: Redact;
  readonly fence: number;
  #state: RunState;
  /** Commands that are decided and not settled, by key, as JSON. A row of the outbox that says anything else is a forgery. */
  readonly #commands = new Map<string, string>();
  readonly #timers = new Map<string, number>();
  #queue: Promise<unknown> = Promise.resolve();
  /** Called for every turn that is on record, and for every fact that was dropped (null). */
  onTurn: ((fact: Fact, step: Step | null) => void) | null = null;

  private constructor(record: RunRecord, state: RunState, fence: number, redact: Redact) {
    this.#record = record;
    this.#state = state;
    this.fence = fence;
    this.#redact = redact;
  }

  static async create(
    record: RunRecord,
    runId: string,
    fact: FactOf<'run_created'>,
    lease: { owner: string; ttlMs: number },
    redact: Redact,
  ): Promise<RunJournal> {
    const clean = { ...redact(fact), chance: newChance() };
    const first = begin(runId, clean);
    await record.createRun({ runId, ...turnOf(clean, first, first.state) }, lease);
    const journal = new RunJournal(record, first.state, 1, redact);
    journal.#remember(first, {});
    return journal;
  }

  static async open(record: RunRecord, runId: string, fence: number, redact: Redact): Promise<RunJournal> {
    const journal = new RunJournal(record, await loadState(record, runId), fence, redact);
    await journal.#recall();
    return journal;
  }

  /** The command that the core decided under this key, as JSON; undefined: it decided none, or it is settled. */
  decidedCommand(key: string): string | undefined {
    return this.#commands.get(key);
  }

  /** When each timer is due, as the core decided. */
  get timers(): ReadonlyMap<string, number> {
    return this.#timers;
  }

  get state(): RunState {
    return this.#state;
  }

  /** Null: the fact came too late or twice; it was dropped, and what it settles is settled. */
  async submit(fact: Fact, settling: Settling = {}): Promise<Step | null> {
    return await this.undisturbed(() => this.#commit(fact, settling));
  }

  /** Settles a command whose outcome reaches the journal in another way. */
  async settle(key: string): Promise<void> {
    await this.undisturbed(() => this.#settleOnly({ settled: [key] }));
  }

  /** Calls `look` while nothing is being written: only then do the rows match what was decided. */
  async undisturbed<T>(look: () => Promise<T>): Promise<T> {
    const turn = this.#queue.then(look);
    this.#queue = turn.catch(() => undefined);
    return await turn;
  }

  async #commit(fact: Fact, settling: Settling): Promise<Step | null> {
    const before = this.#state;
    const clean = { ...this.#redact(fact), chance: newChance() };
    const next = step(before, clean);
    const { otherwise, ...rest } = settling;
    if (next === null && otherwise !== undefined) return await this.#commit(otherwise, rest);
    if (next === null) {
      await this.#settleOnly(rest);
      this.onTurn?.(clean, null);
      return null;
    }
    const { fired, ...settled } = rest;
    const turn = turnOf(clean, next, evolve(before, clean));
    const cancel = [...turn.timers.cancel, ...(fired === undefined ? [] : [fired])].filter(
      (name) => !turn.timers.set.some((timer) => timer.name === name),
    );
    await this.#record.commit({
      ...this.#base(),
      ...settled,
      ...turn,
      timers: { set: turn.timers.set, cancel },
    });
    this.#state = next.state;
    this.#remember(next, { ...rest, cancel });
    this.onTurn?.(clean, next);
    return next;
  }

  async #settleOnly({ fired, ...settled }: Settling): Promise<void> {
    const timers = { set: [], cancel: fired === undefined ? [] : [fired] };
    await this.#record.commit({ ...this.#base(), ...settled, timers, events: [], row: runRow(this.#state) });
    this.#remember(null, { ...settled, cancel: timers.cancel });
  }

  #remember(
    next: Step | null,
    { settled = [], cancel = [] }: Pick<Settling, 'settled'> & { readonly cancel?: readonly string[] },
  ): void {
    for (const key of settled) this.#commands.delete(key);
    for (const { key, command } of next?.commands ?? []) this.#commands.set(key, this.#stored(command));
    changeTimers(this.#timers, {
      set: next?.timers.set ?? [],
      cancel: [...cancel, ...(next?.timers.cancel ?? [])],
    });
  }

  /** Finds open commands and timers in the journal after a takeover. Rows of turns that another version decided are taken as they are. */
  async #recall(): Promise<void> {
    const { runId } = this.#state;
    const events = (await this.#record.events(runId)).map(readEvent);
    const { commands, timers, unknownTurns } = decidedEffects(runId, events);
    for (const { key, command } of commands) this.#commands.set(key, this.#stored(command));
    for (const [name, dueAt] of timers) this.#timers.set(name, dueAt);
    if (unknownTurns.length === 0) return;
    for (const { key, seq, body } of await this.#record.pendingCommands(runId))
      if (unknownTurns.includes(seq)) this.#commands.set(key, body);
    for (const { name, dueAt } of await this.#record.timers(runId)) this.#timers.set(name, dueAt);
  }

  #stored(command: Command): string {
    return this.#record.redacted(JSON.stringify(command));
  }

  #base() {
    return { runId: this.#state.runId, fence: this.fence, expectedSeq: this.#state.seq };
  }
}

export function isLive(state: RunState): boolean {
  const attempt = currentAttempt(state);
  return attempt !== undefined && attempt.startedAt !== null && attempt.endedAt === null;
}

function turnOf(fact: Fact, next: Step, afterFact: RunState) {
  const { at } = fact;
  const lines = statesAfter(fact, next, afterFact);
  return {
    events: lines.map(([event]) => newEvent(event)),
    commands: next.commands.map(({ key, command }) => ({
      key,
      type: command.type,
      body: JSON.stringify(command),
    })),
    timers: next.timers,
    ledger: lines
      .flatMap(([event, state]) => ledgerEntries(state, event))
      .map(({ id, kind, payload }) => ({ id, kind, at, payload: canonicalJson(payload) })),
    bus: lines
      .flatMap(([event, state]) => busMessages(event, state))
      .map((message): NewBusMessage => ({ at, source: 'run', body: JSON.stringify(message) })),
    row: runRow(next.state),
  };
}

/** Each line of the turn with the state that has folded it. */
function statesAfter(
  fact: Fact,
  next: Step,
  afterFact: RunState,
): readonly (readonly [RunEvent, RunState])[] {
  let state = afterFact;
  const decided = next.decisions.map((decision) => {
    state = evolve(state, decision);
    return [decision, state] as const;
  });
  return [[fact, afterFact], ...decided];
}

function newEvent(event: RunEvent): NewEvent {
  return { at: event.at, version: EVENT_VERSION, type: event.type, body: JSON.stringify(event) };
}
