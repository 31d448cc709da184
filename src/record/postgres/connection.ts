/**
 * `Connection`: a small pool of connections to one PostgreSQL store, with named statements, whole transactions, exact texts and typed
 * errors. A statement by itself is a transaction.
 */
import pg from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeDurableWrite } from '../../platform/file/durable-write.ts';
import { createRedactor, type Redactor } from '../redaction/redact.ts';
import type { RowSigner } from '../signed-hold.ts';
import { madeHere, type Redacted, type RedactedText, redactedCopy } from '../redaction/redacted.ts';
import { fromStored, toStored } from './exact-text.ts';
import { isLost, postgresError, unavailable, unknownOutcome, isConflict } from './postgres-error.ts';

type Scalar = RedactedText | number | boolean | Buffer | null;
export type Bound = Scalar | readonly Scalar[];
export type Row = Record<string, unknown>;

export interface ConnectionOptions {
  /** `postgres://user:password@host/database`. */
  readonly address: string;
  /** The schema that holds the tables. */
  readonly schema: string;
  readonly redactor?: (() => Redactor) | undefined;
  readonly signer?: RowSigner | undefined;
  /** The host that uses the store: its home, not its machine. Left out: the only one. */
  readonly host?: string | undefined;
  /** The clock of the store, in place of the server's: for tests. */
  readonly now?: (() => number) | undefined;
}

/** One keeper asks one thing at a time; a second connection serves what it looks at meanwhile. */
const MAX_CONNECTIONS = 3;
/** A keeper that waits holds no connection. */
const IDLE_MS = 10_000;
const CONNECT_TIMEOUT_MS = 10_000;
/** A statement takes milliseconds; after this long the server or the network is stuck. */
const STATEMENT_TIMEOUT_MS = 30_000;
const LOCK_TIMEOUT_MS = 10_000;
/** A host that is paused in the middle of a transaction must not keep its runs locked for longer than its lease. */
const IDLE_IN_TRANSACTION_MS = 5_000;
const TRIES_AFTER_CONFLICT = 20;
const CONFLICT_PAUSE_MS = 10;

/** Types of the server that come back as numbers: counters and times stay far below 2^53. */
const NUMBERS: ReadonlySet<number> = new Set([pg.types.builtins.INT8, pg.types.builtins.INT4]);
const TEXTS: ReadonlySet<number> = new Set([pg.types.builtins.TEXT, pg.types.builtins.VARCHAR]);

/** Runs statements inside one transaction. */
export type Query = (sql: string, values?: readonly Bound[]) => Promise<Row[]>;

export class Connection {
  /** Without the password. */
  readonly address: string;
  readonly signer: RowSigner | null;
  readonly host: RedactedText | null;
  readonly #pool: pg.Pool;
  readonly #clock: (() => number) | undefined;
  #redactor: Redactor | null = null;
  readonly #createRedactor: () => Redactor;
  readonly #names = new Map<string, string>();
  /** Was used in this turn of the event loop: who asks before it ends needs no way through the pool. */
  #free: pg.PoolClient | null = null;

  constructor({ address, schema, redactor, signer, now, host }: ConnectionOptions) {
    this.signer = signer ?? null;
    this.host = host === undefined ? null : madeHere(host);
    this.address = shownAddress(address);
    this.#clock = now;
    this.#createRedactor = redactor ?? createRedactor;
    this.#pool = new pg.Pool({
      connectionString: address,
      application_name: 'mayday',
      max: MAX_CONNECTIONS,
      idleTimeoutMillis: IDLE_MS,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: STATEMENT_TIMEOUT_MS + CONNECT_TIMEOUT_MS,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      lock_timeout: LOCK_TIMEOUT_MS,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
      keepAlive: true,
      allowExitOnIdle: true,
      options: `-c search_path=${schema}`,
      types: { getTypeParser: parserOf },
    });
    // A connection that ends while it is not used is replaced at the next query.
    this.#pool.on('error', () => {});
    // A connection that ends while it is used fails its query; without a listener it would also end the process.
    this.#pool.on('connect', (client) => client.on('error', () => {}));
  }

  /** The argument of `store_now()`. Null: the clock of the server. */
  get now(): number | null {
    return this.#clock?.() ?? null;
  }

  /** The only way in which a caller's value becomes part of a statement. */
  redacted<T>(value: T): Redacted<T> {
    return redactedCopy(value, () => (this.#redactor ??= this.#createRedactor()));
  }

  read(sql: string, values: readonly Bound[] = []): Promise<Row[]> {
    return this.#using(async (client) => await this.#ask(client, sql, values), false);
  }

  async list<T>(sql: string, values: readonly Bound[], of: (row: Row) => T): Promise<T[]> {
    return (await this.read(sql, values)).map(of);
  }

  /** One statement, which is one transaction. */
  write(sql: string, values: readonly Bound[] = []): Promise<Row[]> {
    return this.#using(async (client) => {
      beforeDurableWrite();
      return await this.#ask(client, sql, values);
    }, true);
  }

  /** Several statements that only count together. */
  transaction<T>(change: (ask: Query) => Promise<T>): Promise<T> {
    return this.#using(async (client) => {
      await client.query('BEGIN');
      const result = await change((sql, values = []) => this.#ask(client, sql, values));
      beforeDurableWrite();
      await client.query('COMMIT');
      return result;
    }, true);
  }

  async close(): Promise<void> {
    this.#release();
    if (!this.#pool.ended) await this.#pool.end();
  }

  async #using<T>(use: (client: pg.PoolClient) => Promise<T>, writes: boolean): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      const free = this.#free;
      this.#free = null;
      const client = free ?? (await this.#connect());
      try {
        const result = await use(client);
        this.#giveBack(client);
        return result;
      } catch (error) {
        const lost = isLost(error);
        // A connection in an unknown state is not used again.
        client.release(lost || !(await rolledBack(client)));
        if (!isConflict(error) || tries >= TRIES_AFTER_CONFLICT)
          throw lost && writes ? unknownOutcome(error, this.address) : postgresError(error, this.address);
      }
      await sleep(CONFLICT_PAUSE_MS * Math.random() * tries);
    }
  }

  #giveBack(client: pg.PoolClient): void {
    // Others wait for it, in their order.
    if (this.#free !== null || this.#pool.waitingCount > 0) return client.release();
    this.#free = client;
    setImmediate(() => {
      if (this.#free === client) this.#release();
    });
  }

  #release(): void {
    this.#free?.release();
    this.#free = null;
  }

  async #connect(): Promise<pg.PoolClient> {
    try {
      return await this.#pool.connect();
    } catch (error) {
      const typed = postgresError(error, this.address);
      throw typed === error ? unavailable(error, this.address) : typed;
    }
  }

  #ask(client: pg.PoolClient, text: string, values: readonly Bound[]): Promise<Row[]> {
    return new Promise((resolve, reject) => {
      const query = new pg.Query<Row>(text, values.map(stored), (error, result) =>
        error ? reject(error) : resolve(result.rows),
      );
      client.query(Object.assign(query, { name: this.#nameOf(text) }));
    });
  }

  /** The server keeps the plan of a statement under its name. */
  #nameOf(sql: string): string {
    let name = this.#names.get(sql);
    if (name === undefined) {
      name = `mayday_${this.#names.size + 1}`;
      this.#names.set(sql, name);
    }
    return name;
  }
}

async function rolledBack(client: pg.PoolClient): Promise<boolean> {
  return await client.query('ROLLBACK').then(
    () => true,
    () => false,
  );
}

function stored(value: Bound): unknown {
  if (typeof value === 'string') return toStored(value);
  if (Array.isArray(value)) return value.map(stored);
  // PostgreSQL stores NaN and Infinity, but no JSON document can hold them.
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new TypeError(`${value} is no number that a record can keep.`);
  return value;
}

function parserOf(type: number, format?: 'text' | 'binary'): (value: string) => unknown {
  if (NUMBERS.has(type)) return Number;
  if (TEXTS.has(type)) return fromStored;
  return pg.types.getTypeParser(type, format as 'text') as (value: string) => unknown;
}

/** The address of a PostgreSQL store without its password, to be named in messages. */
function shownAddress(address: string): string {
  if (!URL.canParse(address)) return 'the PostgreSQL store';
  const { hostname, port, pathname } = new URL(address);
  return `postgres://${hostname}${port === '' ? '' : `:${port}`}${pathname}`;
}
