/** `OutboxRecord`: what waits for the keeper of a run: commands without an outcome, timers, and requests from other processes. */

/** An effect the core asked for. Its key makes it idempotent; without an outcome it is looked at again, never blindly repeated. */
export interface NewCommand {
  readonly key: string;
  readonly type: string;
  readonly body: string;
}

export interface StoredCommand extends NewCommand {
  readonly runId: string;
  /** Of the last event of its turn; commands are performed in the order of (seq, index). */
  readonly seq: number;
  /** 0, 1, 2... among the commands with this seq. */
  readonly index: number;
  readonly createdAt: number;
  /** Set once a keeper began to perform it: after a crash the next keeper must look before it acts. */
  readonly begunAt: number | null;
}

export interface Timer {
  readonly runId: string;
  readonly name: string;
  readonly dueAt: number;
}

export interface OutboxRecord {
  /** In the order they were asked for. */
  pendingCommands(runId: string, limit?: number): Promise<readonly StoredCommand[]>;
  /** Marks a command as begun under this fence; false if it is settled or the fence is stale. */
  beginCommand(ask: { runId: string; key: string; fence: number }): Promise<boolean>;
  timers(runId: string): Promise<readonly Timer[]>;
  /** Runs of this host without an owner that have something due or waiting. */
  unowned(): Promise<readonly string[]>;
  post(runId: string, body: string): Promise<void>;
  /** Oldest first. */
  mailbox(runId: string): Promise<readonly MailboxItem[]>;
  /** Never older than the question. A store may answer the questions of many keepers at once. Nothing, if there is no such run. */
  look(runId: string): Promise<RunLook>;
}

/** A request to a run from a person at a terminal or from another process. */
export interface MailboxItem {
  readonly id: number;
  readonly runId: string;
  readonly at: number;
  readonly body: string;
}

export interface RunLook {
  readonly mail: readonly MailboxItem[];
  readonly timers: readonly Timer[];
  /** The oldest command without an outcome. */
  readonly command: StoredCommand | null;
}
