/** `JournalRecord`: the events of runs, committed turn by turn, and the row of each run that lists show. */
import type { NewBusMessage } from './bus.ts';
import type { NewLedgerEntry } from './ledger.ts';
import type { NewCommand, Timer } from './outbox.ts';

export interface StoredEvent extends NewEvent {
  readonly runId: string;
  /** 1, 2, 3... without gaps within a run. */
  readonly seq: number;
  readonly fence: number;
  /** The exact JSON text that was appended. */
  readonly body: string;
}

export interface NewEvent {
  readonly at: number;
  readonly version: number;
  readonly type: string;
  readonly body: string;
}

/** The row a person sees in `ps`: derived from the state, written with it, never read back by the core. */
export interface RunRow {
  readonly runId: string;
  readonly title: string;
  readonly state: string;
  readonly stage: string;
  readonly agent: string;
  readonly repository: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly progressAt: number;
  readonly costUsd: number;
  /** True while a question is open. */
  readonly needsPerson: boolean;
  /** True once delivered, unverified or abandoned. */
  readonly ended: boolean;
  /** The public `show --json` document, so that reports and lists never fold journals. */
  readonly view: string;
  /** The few numbers that reports need, as JSON: a hundred thousand of them are read at once. */
  readonly metrics?: string;
}

export interface StoredTurn {
  readonly runId: string;
  readonly fence: number;
  /** The last seq the writer has seen. */
  readonly expectedSeq: number;
  readonly events: readonly NewEvent[];
  readonly commands?: readonly NewCommand[];
  /** Keys of commands whose outcome is among `events`. */
  readonly settled?: readonly string[];
  readonly timers?: { readonly set: readonly Omit<Timer, 'runId'>[]; readonly cancel: readonly string[] };
  readonly ledger?: readonly NewLedgerEntry[];
  /** Mailbox items whose event is among `events`. */
  readonly acknowledged?: readonly number[];
  readonly bus?: readonly NewBusMessage[];
  readonly row: RunRow;
}

export interface RunFilter {
  /** At most so many, after `offset` that are left out. */
  readonly limit?: number;
  readonly offset?: number;
  readonly ended?: boolean;
  readonly repository?: string;
  readonly needsPerson?: boolean;
  /** As in the row. */
  readonly state?: string;
  /** Without the runs that a person took from the lists. */
  readonly listed?: boolean;
  readonly sinceAt?: number;
  /** Leaves `view` empty: a list then reads only what it shows. */
  readonly withoutView?: boolean;
}

/** A run that changed, under the number of its latest change. */
export interface RunChange {
  /** Grows with every committed turn of any run. */
  readonly change: number;
  readonly runId: string;
}

export interface BegunRuns {
  readonly runs: number;
  readonly costUsd: number;
}

/** What a second file, written after every commit, knows of a journal. */
export interface AnchoredJournal {
  /** The last event that was anchored; what follows was written by a process that died at once, or by a program that is not Mayday. */
  readonly upTo: number;
  /** First events of the commits that are not as they were anchored. */
  readonly changed: readonly number[];
}

/** The rows of runs, for lists and those who follow them. */
export interface RowsRecord {
  row(runId: string): Promise<RunRow | null>;
  rows(filter?: RunFilter): Promise<readonly RunRow[]>;
  /**
   * Runs with a turn after this change, in the order of their latest one; every run once. A reader that asks again after the
   * last number it was given misses no committed turn.
   */
  changes(after: number, limit: number): Promise<readonly RunChange[]>;
  /** The number of the latest change; 0: there is none. */
  lastChange(): Promise<number>;
  /** How many runs began at or after this moment, and what they have cost. */
  begunSince(at: number): Promise<BegunRuns>;
}

export interface JournalRecord extends RowsRecord {
  /** First turn of a new run: creates the run with its lease already held by `owner`; fence 1. Refuses an id that exists. */
  createRun(
    turn: Omit<StoredTurn, 'fence' | 'expectedSeq'>,
    lease: { owner: string; ttlMs: number },
  ): Promise<void>;
  commit(turn: StoredTurn): Promise<void>;
  events(runId: string, afterSeq?: number, limit?: number): Promise<readonly StoredEvent[]>;
  /** Null: there is no anchor; a run that it does not name has `upTo` 0. */
  anchored(runId: string): Promise<AnchoredJournal | null>;
}
