/** `OutboxRecord`: commands that wait for their outcome, and timers. */

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
}
