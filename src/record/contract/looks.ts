/** `LooksRecord`: what the keeper of a run looks for between two turns. */
import type { MailboxItem } from './mailbox.ts';
import type { StoredCommand, Timer } from './outbox.ts';

export interface RunLook {
  readonly mail: readonly MailboxItem[];
  readonly timers: readonly Timer[];
  /** The oldest command without an outcome. */
  readonly command: StoredCommand | null;
}

export interface LooksRecord {
  /** Never older than the question. A store may answer the questions of many keepers at once. Nothing, if there is no such run. */
  look(runId: string): Promise<RunLook>;
}
