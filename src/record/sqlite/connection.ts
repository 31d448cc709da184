/**
 * `Connection`: one SQLite connection with prepared statements, whole transactions, waiting for locks of other processes, and typed
 * errors.
 */
import type { DatabaseSync, SQLOutputValue, StatementResultingChanges, StatementSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeDurableWrite } from '../../platform/file/durable-write.ts';
import type { MaydayError } from '../../platform/mayday-error.ts';
import { createRedactor, type Redactor } from '../redaction/redact.ts';
import { type Redacted, type RedactedText, redactedCopy } from '../redaction/redacted.ts';
import type { RowSigner } from '../signed-hold.ts';
import { busyError, commitUnknown, isBusy, isFsyncFailure, isMisfit, recordError } from './sqlite-error.ts';

/** How long one try may block the event loop on another writer's lock; a turn of another process takes about 0.1 ms. */
export const BUSY_TIMEOUT_MS = 100;
/** Between tries the event loop runs, so that a keeper still watches its agents. */
const RETRY_PAUSE_MS = 20;
/** A healthy writer is done in milliseconds; after this long another process is stuck with the lock. */
const LOCK_DEADLINE_MS = 30_000;

type Bound = RedactedText | number | bigint | null;
type Row = Record<string, SQLOutputValue>;

interface Statement {
  run(...values: readonly Bound[]): StatementResultingChanges;
  get(...values: readonly Bound[]): Row | undefined;
  all(...values: readonly Bound[]): Row[];
}

export class Connection {
  readonly path: string;
  readonly database: DatabaseSync;
  /** The time of the store. */
  readonly now: () => number;
  readonly signer: RowSigner | null;
  /** Why writing is refused, if it is. */
  #refusal: MaydayError | null;
  readonly #lockDeadlineMs: number;
  readonly #statements = new Map<string, Statement>();
  #redactor: Redactor | null = null;
  readonly #createRedactor: () => Redactor;
  #broken: unknown = null;

  constructor(options: {
    path: string;
    database: DatabaseSync;
    refusal: MaydayError | null;
    lockDeadlineMs?: number | undefined;
    now?: (() => number) | undefined;
    redactor?: (() => Redactor) | undefined;
    signer?: RowSigner | undefined;
  }) {
    this.path = options.path;
    this.database = options.database;
    this.now = options.now ?? Date.now;
    this.signer = options.signer ?? null;
    this.#createRedactor = options.redactor ?? createRedactor;
    this.#refusal = options.refusal;
    this.#lockDeadlineMs = options.lockDeadlineMs ?? LOCK_DEADLINE_MS;
  }

  refuseWriting(why: MaydayError): void {
    this.#refusal = why;
  }

  /** The only way in which a caller's value becomes part of a statement. */
  redacted<T>(value: T): Redacted<T> {
    return redactedCopy(value, () => (this.#redactor ??= this.#createRedactor()));
  }

  statement(sql: string): Statement {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = finiteOnly(this.database.prepare(sql));
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  read<T>(query: () => T): Promise<T> {
    return this.#patiently(query);
  }

  list<T>(sql: string, values: readonly Bound[], of: (row: Row) => T): Promise<T[]> {
    return this.read(() =>
      this.statement(sql)
        .all(...values)
        .map(of),
    );
  }

  /** Runs `change` in one transaction that holds the write lock from its start: what it reads cannot change under it. */
  write<T>(change: () => T): Promise<T> {
    return this.#patiently(() => {
      if (this.#refusal !== null) throw this.#refusal;
      this.database.exec('BEGIN IMMEDIATE');
      const result = change();
      beforeDurableWrite();
      this.#commit();
      return result;
    });
  }

  #commit(): void {
    try {
      this.database.exec('COMMIT');
    } catch (error) {
      // A transaction that is still open is rolled back: then the outcome is known.
      throw (!this.database.isTransaction && commitUnknown(error, this.path)) || error;
    }
  }

  /** For statements that SQLite refuses inside a transaction. */
  outsideTransaction(sql: string): Promise<void> {
    return this.#patiently(() => {
      if (this.#refusal !== null) throw this.#refusal;
      // A checkpoint that another reader blocks does not fail; its result says so.
      if (this.database.prepare(sql).get()?.['busy'] === 1) throw busyError();
    });
  }

  async #patiently<T>(attempt: () => T): Promise<T> {
    const deadline = performance.now() + this.#lockDeadlineMs;
    for (;;) {
      if (this.#broken !== null) throw this.#broken;
      try {
        return attempt();
      } catch (error) {
        this.#rollback();
        if (!isBusy(error) || performance.now() >= deadline) {
          // Tables of a newer version may have changed so much that not even reading works.
          const typed =
            isMisfit(error) && this.#refusal !== null ? this.#refusal : recordError(error, this.path);
          if (isFsyncFailure(error)) this.#broken = typed;
          throw typed;
        }
      }
      await sleep(RETRY_PAUSE_MS * (0.5 + Math.random()));
    }
  }

  #rollback(): void {
    // SQLite has already rolled back by itself after a full disk or an I/O error.
    if (this.database.isOpen && this.database.isTransaction) this.database.exec('ROLLBACK');
  }
}

/** SQLite would keep NaN as NULL and infinity as a number that no JSON can hold. */
function finiteOnly(statement: StatementSync): Statement {
  return {
    run: (...values) => {
      for (const value of values)
        if (typeof value === 'number' && !Number.isFinite(value))
          throw new TypeError(`${value} is no number that a record can keep.`);
      return statement.run(...values);
    },
    get: (...values) => statement.get(...values),
    all: (...values) => statement.all(...values),
  };
}
