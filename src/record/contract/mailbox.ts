/** `MailboxRecord`: requests to a run from processes that do not own it. */

/** A request to a run from a person at a terminal or from another process. */
export interface MailboxItem {
  readonly id: number;
  readonly runId: string;
  readonly at: number;
  readonly body: string;
}

export interface MailboxRecord {
  post(runId: string, body: string): Promise<void>;
  /** Oldest first. */
  mailbox(runId: string): Promise<readonly MailboxItem[]>;
}
