/** The mailbox: requests to a run from processes that do not own it. */

/** What others (a person at a terminal, another process) ask of a run that they do not own. */
export interface MailboxItem {
  readonly id: number;
  readonly runId: string;
  readonly at: number;
  readonly body: string;
}

export interface MailboxRecord {
  post(runId: string, body: string): Promise<void>;
  /** Oldest first. */
  mailbox(runId: string, limit?: number): Promise<readonly MailboxItem[]>;
}
