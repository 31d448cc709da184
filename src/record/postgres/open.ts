/** `openPostgresRecord`: opens the record of a fleet in a PostgreSQL database; creates or migrates its tables where needed. */
import { MaydayError } from '../../platform/mayday-error.ts';
import type { RunRecord } from '../contract.ts';
import type { Copied } from './copy-record.ts';
import { bus } from './bus.ts';
import { Connection, type ConnectionOptions } from './connection.ts';
import { fleet } from './fleet.ts';
import { journal } from './journal.ts';
import { leases } from './lease.ts';
import { ledger } from './ledger.ts';
import { lessons } from './lessons.ts';
import { mailbox } from './mailbox.ts';
import { metrics } from './metrics.ts';
import { outbox } from './outbox.ts';
import { prepareSchema } from './schema.ts';

const DEFAULT_SCHEMA = 'mayday';

export interface PostgresRecord extends RunRecord {
  /** Into this store, which must be empty; see copyRecord. */
  copyFrom(sqlitePath: string, now: number): Promise<Copied>;
}

export async function openPostgresRecord(
  options: Omit<ConnectionOptions, 'schema'> & {
    readonly schema?: string;
    /** The machine that uses the store: the first one to open it keeps it. */
    readonly host?: string;
  },
): Promise<PostgresRecord> {
  const schema = options.schema ?? DEFAULT_SCHEMA;
  // It becomes part of statements that take no values.
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema))
    throw new MaydayError('RECORD_CANNOT_OPEN', `${JSON.stringify(schema)} is no name of a schema.`, [
      ['do', 'Use small letters, digits and _ only.'],
    ]);
  const connection = new Connection({ ...options, schema });
  try {
    await prepareSchema(connection, schema);
    if (options.host !== undefined) await claimStore(connection, options.host);
  } catch (error) {
    await connection.close();
    throw error;
  }
  return {
    ...journal(connection),
    ...leases(connection),
    ...outbox(connection),
    ...mailbox(connection),
    ...bus(connection),
    ...fleet(connection),
    ...ledger(connection),
    ...lessons(connection),
    ...metrics(connection),
    redacted: <T>(value: T) => connection.redacted(value) as T,
    // The server is not on this host: what agents here can write to does not reach it, and no file beside it vouches for it.
    anchored: async () => null,
    verify: async () => {
      const { verifyStore } = await import('./verify.ts');
      return await verifyStore(connection);
    },
    copyFrom: async (sqlitePath, now) => {
      const { copyRecord } = await import('./copy-record.ts');
      return await copyRecord(connection, sqlitePath, now);
    },
    close: () => connection.close(),
  };
}

/** Workspaces and sessions are on one host, and no run is moved to another yet. So a store serves the host that opened it first. */
async function claimStore(connection: Connection, host: string): Promise<void> {
  const [row] = await connection.read('SELECT host FROM store');
  if (row?.['host'] === host) return;
  const claimed = await connection.write(
    'UPDATE store SET host = $1 WHERE host IS NULL OR host = $1 RETURNING id',
    [connection.redacted(host)],
  );
  if (claimed.length === 0)
    throw new MaydayError(
      'STORE_OF_ANOTHER_HOST',
      `${connection.address} keeps the runs of another machine.`,
      [
        ['did', 'Read and wrote nothing.'],
        ['do', 'Use a database of its own for this machine: runs cannot move between machines yet.'],
      ],
    );
}
