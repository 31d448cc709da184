/**
 * The record: everything Mayday must not forget, behind one asynchronous contract. SQLite implements it on one
 * machine, PostgreSQL for fleets; both pass test/contracts/record.ts.
 *
 * Rules every store keeps:
 * - `commit` is one transaction: events, commands, timers, ledger, bus, read model, mailbox acknowledgements; all or nothing.
 * - A commit carries the fence of its writer and the sequence number it builds on; a stale one is refused, whole.
 * - Bodies are kept byte for byte; a reader that does not know an event type still returns it.
 */
import type { BusAgent } from '../core/bus/bus-agent.ts';
import type { BusSource } from '../core/bus/bus-message.ts';
import type { BusTask } from '../core/bus/bus-task.ts';

import type { Hold, HoldChange } from '../core/fleet/hold.ts';
import type { Sighting } from '../core/fleet/shared-cause.ts';

export interface StoredEvent {
  readonly runId: string;
  /** 1, 2, 3... without gaps within a run. */
  readonly seq: number;
  readonly at: number;
  readonly version: number;
  readonly type: string;
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

/** An effect the core asked for. Its key makes it idempotent; without an outcome it is looked at again, never blindly repeated. */
export interface NewCommand {
  readonly key: string;
  readonly type: string;
  readonly body: string;
}

export interface StoredCommand extends NewCommand {
  readonly runId: string;
  readonly seq: number;
  readonly createdAt: number;
  /** Set once some supervisor began to perform it: after a crash it must look before it acts. */
  readonly begunAt: number | null;
}

export interface Timer {
  readonly runId: string;
  readonly name: string;
  readonly dueAt: number;
}

/** What others (a person at a terminal, another process) ask of a run that they do not own. */
export interface MailboxItem {
  readonly id: number;
  readonly runId: string;
  readonly at: number;
  readonly body: string;
}

export interface NewBusMessage {
  readonly at: number;
  readonly source: BusSource;
  /** The message as JSON, kept byte for byte. */
  readonly body: string;
}

export interface StoredBusMessage extends NewBusMessage {
  /** 1, 2, 3... without gaps over the whole record. */
  readonly id: number;
}

export interface NewLedgerEntry {
  readonly id: string;
  readonly kind: string;
  readonly at: number;
  /** Canonical JSON; the chain holds only a salted commitment to it, so that it can be erased. */
  readonly payload: string;
}

export interface LedgerEntry {
  readonly id: string;
  readonly runId: string;
  readonly seq: number;
  readonly kind: string;
  readonly at: number;
  readonly salt: string;
  /** Null once erased. */
  readonly payload: string | null;
  readonly commitment: string;
  readonly previousHash: string;
  readonly hash: string;
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

/** What reports read of a run, or of a session from before Mayday that was imported. */
export interface MetricsRow {
  readonly id: string;
  readonly repository: string;
  /** When the run or session began. */
  readonly at: number;
  readonly imported: boolean;
  readonly body: string;
}

export interface MetricsFilter {
  /** Begun at or after. */
  readonly sinceAt?: number;
  readonly repository?: string;
  /** The latest so many. */
  readonly limit?: number;
}

/** The mirror of a lesson: the Markdown file or the proposal is the original, approvals are in the ledger. */
export interface StoredLesson {
  readonly repository: string;
  readonly id: string;
  /** Of the content, which approvals are bound to. */
  readonly hash: string;
  /** `file`: read from the checkout; `record`: a proposal that has no file yet. */
  readonly origin: 'file' | 'record';
  /** Of the file when it was read: an unchanged one is not read again. */
  readonly stamp: string;
  readonly updatedAt: number;
  readonly title: string;
  readonly guidance: string;
  /** Further text to be found by. */
  readonly words: string;
  /** The whole lesson as JSON. */
  readonly document: string;
}

export interface LessonQuery {
  readonly text: string;
  readonly repository?: string;
  readonly limit?: number;
}

/** Name of a chain of evidence that belongs to no run; no run is ever called so. */
export type SharedChain = `@${string}`;

export interface Lease {
  readonly runId: string;
  /** Who: host, boot id, pid, start time and incarnation as JSON; compared by others, never parsed by the store. */
  readonly owner: string;
  readonly fence: number;
  readonly expiresAt: number;
}

export interface Turn {
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
  /** What the run says on the bus. */
  readonly bus?: readonly NewBusMessage[];
  readonly row: RunRow;
}

export interface RunFilter {
  readonly ended?: boolean;
  readonly repository?: string;
  readonly needsPerson?: boolean;
  /** As in the row. */
  readonly state?: string;
  /** Without the runs that a person took from the lists. */
  readonly listed?: boolean;
  readonly sinceAt?: number;
  readonly limit?: number;
  /** Leaves `view` empty: a list then reads only what it shows. */
  readonly withoutView?: boolean;
}

export interface RunRecord {
  /** First turn of a new run: creates the run with its lease already held by `owner`; fence 1. Refuses an id that exists. */
  createRun(
    turn: Omit<Turn, 'fence' | 'expectedSeq'>,
    lease: { owner: string; expiresAt: number },
  ): Promise<void>;
  commit(turn: Turn): Promise<void>;
  events(runId: string, afterSeq?: number): Promise<readonly StoredEvent[]>;
  row(runId: string): Promise<RunRow | null>;
  rows(filter?: RunFilter): Promise<readonly RunRow[]>;

  lease(runId: string): Promise<Lease | null>;
  /**
   * Takes the lease if it is free or expired at `now`, or if its fence is `observedDeadFence` (the caller saw the owner
   * dead with its own eyes). Returns the new fence, which is larger than every earlier one, or null.
   */
  acquireLease(ask: {
    runId: string;
    owner: string;
    now: number;
    ttlMs: number;
    observedDeadFence?: number;
  }): Promise<number | null>;
  /** False when the fence is no longer ours: stop acting at once. */
  renewLease(ask: { runId: string; fence: number; now: number; ttlMs: number }): Promise<boolean>;
  releaseLease(runId: string, fence: number): Promise<void>;

  pendingCommands(runId: string): Promise<readonly StoredCommand[]>;
  /** Marks a command as begun under this fence; false if it is settled or the fence is stale. */
  beginCommand(ask: { runId: string; key: string; fence: number; now: number }): Promise<boolean>;
  timers(runId: string): Promise<readonly Timer[]>;
  /** Runs that have something due or waiting while nobody owns them. */
  unowned(now: number): Promise<readonly string[]>;

  post(runId: string, at: number, body: string): Promise<void>;
  mailbox(runId: string): Promise<readonly MailboxItem[]>;

  /**
   * Appends to the bus, all or nothing; returns the ids. With `unlessNews`, only if the latest message about that task is
   * still the one with this id (0: there is none), otherwise null: of several who judge a task, one is heard.
   */
  publish(
    messages: readonly NewBusMessage[],
    unlessNews?: { readonly agentId: string; readonly taskId: string; readonly latestId: number },
  ): Promise<readonly number[] | null>;
  /** Oldest first. */
  messages(afterId: number, limit: number): Promise<readonly StoredBusMessage[]>;
  /** The id of the latest message; 0 without one. */
  lastMessage(): Promise<number>;
  busTask(agentId: string, taskId: string): Promise<BusTask | null>;
  /** Tasks of external agents that are said to be RUNNING, longest first. */
  runningTasks(limit: number): Promise<readonly BusTask[]>;
  busAgents(): Promise<readonly BusAgent[]>;

  /** Every hold, also those lifted within a day. */
  holds(): Promise<readonly Hold[]>;
  /** Applies the change to the row as it is now, in one transaction; null when it does not fit any more. */
  changeHold(change: HoldChange): Promise<Hold | null>;
  /** Failures and restarts of all runs, kept for a day. */
  sight(sighting: Sighting): Promise<void>;
  sightings(sinceAt: number): Promise<readonly Sighting[]>;

  /** Of a run, or of a shared chain. */
  ledger(runId: string): Promise<readonly LedgerEntry[]>;
  /** Evidence that belongs to no run, such as a person's approval of a lesson. */
  appendEvidence(chain: SharedChain, entries: readonly NewLedgerEntry[]): Promise<void>;

  saveLessons(lessons: readonly StoredLesson[]): Promise<void>;
  removeLessons(repository: string, ids: readonly string[]): Promise<void>;
  lessons(filter?: { readonly repository?: string }): Promise<readonly StoredLesson[]>;
  /** Best first; `score` only orders. Any text is a valid query. */
  searchLessons(
    query: LessonQuery,
  ): Promise<readonly { readonly repository: string; readonly id: string; readonly score: number }[]>;

  /** The bodies, oldest first. */
  metrics(filter?: MetricsFilter): Promise<readonly string[]>;
  saveMetrics(rows: readonly MetricsRow[]): Promise<void>;
  /** Erases a payload (a leaked secret); the chain stays valid. */
  erase(ledgerId: string): Promise<void>;
  /** Checks sequence numbers, chains, anchors and the integrity of the store itself. Empty when all holds. */
  verify(): Promise<readonly { readonly runId: string | null; readonly problem: string }[]>;
  close(): Promise<void>;
}

/** A writer whose fence or sequence number is behind. It must reread and, if the lease is gone, stop acting. */
export class StaleWriter extends Error {
  readonly code = 'STALE_WRITER';
}
