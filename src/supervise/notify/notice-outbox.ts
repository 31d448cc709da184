/**
 * `NoticeOutbox`: messages for receivers outside of Mayday, in a file of their own, so that a receiver that is down harms no run. Every
 * process of this home may fill and empty it: a message is stored once under its id, and one process at a time has it in hand.
 *
 *   added -> claimed -> delivered
 *               |  ^
 *               v  | after a pause that doubles
 *             failed -- for longer than a day --> given up
 */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS cursor (name TEXT PRIMARY KEY, change INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS messages (
    target TEXT NOT NULL, id TEXT NOT NULL, body TEXT NOT NULL, added_at INTEGER NOT NULL, due_at INTEGER NOT NULL,
    tries INTEGER NOT NULL DEFAULT 0, problem TEXT, delivered_at INTEGER, PRIMARY KEY (target, id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS messages_due ON messages (due_at) WHERE delivered_at IS NULL;
`;
/** A process that has a message in hand and dies leaves it to the next after this time; longer than any try takes. */
const CLAIM_MS = 60_000;
/** Due for so long, and no process has tried: nobody looks after the messages of this home. */
const LATE_MS = 120_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** News of yesterday is no news: it stays visible in `mayday doctor`, and is not sent any more. */
export const GIVE_UP_MS = 86_400_000;
/** Kept so that nothing is told twice. */
const REMEMBER_MS = 30 * 86_400_000;
const BUSY_MS = 2_000;

export interface OutboxMessage {
  readonly target: string;
  readonly id: string;
  readonly body: string;
  readonly tries: number;
}

export interface Undelivered {
  readonly target: string;
  readonly count: number;
  readonly since: number;
  readonly problem: string;
}

export function outboxPath(home: string): string {
  return join(home, 'notices.sqlite');
}

export class NoticeOutbox {
  readonly #database: DatabaseSync;

  constructor(home: string) {
    this.#database = new DatabaseSync(outboxPath(home), { timeout: BUSY_MS });
    this.#database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; ${SCHEMA}`);
  }

  /** Null: nothing was ever read. */
  cursor(): number | null {
    const row = this.#database.prepare(`SELECT change FROM cursor WHERE name = 'changes'`).get();
    return row === undefined ? null : Number(row['change']);
  }

  /** Messages and cursor together: what was read is stored, or is read again. */
  add(messages: readonly Omit<OutboxMessage, 'tries'>[], change: number, now: number): void {
    this.#inTransaction(() => {
      const insert = this.#database.prepare(
        'INSERT OR IGNORE INTO messages (target, id, body, added_at, due_at) VALUES (?, ?, ?, ?, ?)',
      );
      for (const { target, id, body } of messages) insert.run(target, id, body, now, now);
      this.#database
        .prepare(
          `INSERT INTO cursor VALUES ('changes', ?) ON CONFLICT (name) DO UPDATE SET change = max(change, excluded.change)`,
        )
        .run(change);
      this.#database.prepare('DELETE FROM messages WHERE delivered_at < ?').run(now - REMEMBER_MS);
    });
  }

  /** Makes a message due that was delivered so long ago, or that is new. One that is not delivered yet stays as it is. */
  renew({ target, id }: Pick<OutboxMessage, 'target' | 'id'>, now: number, everyMs: number): void {
    this.#database
      .prepare(
        `INSERT INTO messages (target, id, body, added_at, due_at) VALUES (?, ?, '{}', ?, ?)
         ON CONFLICT (target, id) DO UPDATE SET added_at = excluded.added_at, due_at = excluded.due_at, tries = 0, problem = NULL,
           delivered_at = NULL
         WHERE delivered_at <= excluded.added_at - ? OR added_at <= excluded.added_at - ?`,
      )
      .run(target, id, now, now, everyMs, GIVE_UP_MS);
  }

  /** The next message that is due, now in the hands of this process; null: there is none. */
  claim(now: number): OutboxMessage | null {
    return this.#inTransaction(() => {
      const row = this.#database
        .prepare(
          `SELECT target, id, body, tries FROM messages
           WHERE delivered_at IS NULL AND due_at <= ? AND added_at > ? ORDER BY due_at LIMIT 1`,
        )
        .get(now, now - GIVE_UP_MS);
      if (row === undefined) return null;
      const { target, id, body, tries } = row as unknown as OutboxMessage;
      this.#database
        .prepare('UPDATE messages SET due_at = ?, tries = tries + 1 WHERE target = ? AND id = ?')
        .run(now + CLAIM_MS, target, id);
      return { target, id, body, tries };
    });
  }

  delivered({ target, id }: OutboxMessage, now: number): void {
    this.#database
      .prepare('UPDATE messages SET delivered_at = ?, problem = NULL WHERE target = ? AND id = ?')
      .run(now, target, id);
  }

  failed({ target, id, tries }: OutboxMessage, problem: string, now: number): void {
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** tries, LONGEST_PAUSE_MS);
    this.#database
      .prepare('UPDATE messages SET problem = ?, due_at = ? WHERE target = ? AND id = ?')
      .run(problem, now + pause, target, id);
  }

  /** What could not be delivered so far, by target. A message that is in its first try is not among them. */
  undelivered(now: number): readonly Undelivered[] {
    return this.#database
      .prepare(
        `SELECT target, count(*) AS count, min(added_at) AS since,
           coalesce(max(problem), 'no process of Mayday sends it') AS problem FROM messages
         WHERE delivered_at IS NULL AND (problem IS NOT NULL OR due_at <= ?) GROUP BY target`,
      )
      .all(now - LATE_MS) as unknown as Undelivered[];
  }

  /** Messages that a process should still try to deliver. */
  waiting(now: number): number {
    const row = this.#database
      .prepare('SELECT count(*) AS count FROM messages WHERE delivered_at IS NULL AND added_at > ?')
      .get(now - GIVE_UP_MS);
    return Number(row?.['count'] ?? 0);
  }

  close(): void {
    this.#database.close();
  }

  #inTransaction<T>(act: () => T): T {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      const result = act();
      this.#database.exec('COMMIT');
      return result;
    } catch (error) {
      this.#database.exec('ROLLBACK');
      throw error;
    }
  }
}
