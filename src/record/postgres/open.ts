/**
 * `openPostgresRecord`: opens the record of a fleet in a PostgreSQL database; makes its tables in a new one. `migratePostgresRecord`:
 * brings the tables of an older one up to date.
 */
import { MaydayError } from '../../platform/mayday-error.ts';
import type { RunRecord } from '../contract.ts';
import type { Copied } from './copy-record.ts';
import { bus } from './parts/bus.ts';
import { Connection, type ConnectionOptions } from './connection.ts';
import { fleet } from './parts/fleet.ts';
import { journal } from './parts/journal.ts';
import { leases } from './parts/lease.ts';
import { ledger } from './parts/ledger.ts';
import { lessons } from './parts/lessons.ts';
import { metrics } from './parts/metrics.ts';
import { outbox } from './parts/outbox.ts';
import { hosts } from './parts/hosts.ts';
import { type Migrated, migrateSchema, prepareSchema } from './schema.ts';

const DEFAULT_SCHEMA = 'mayday';

export interface PostgresRecord extends RunRecord {
  /** Into this store, which must be empty; see copyRecord. */
  copyFrom(sqlitePath: string, now: number): Promise<Copied>;
}

type StoreOptions = Omit<ConnectionOptions, 'schema'> & { readonly schema?: string };

export async function openPostgresRecord(options: StoreOptions): Promise<PostgresRecord> {
  const { connection, schema } = connect(options);
  try {
    await prepareSchema(connection, schema);
  } catch (error) {
    await connection.close();
    throw error;
  }
  return {
    hosts: options.host === undefined ? null : hosts(connection, options.host),
    ...journal(connection),
    ...leases(connection),
    ...outbox(connection),
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

/** Brings the tables of the store up to date, and says from which version to which. */
export async function migratePostgresRecord(options: StoreOptions): Promise<Migrated> {
  const { connection, schema } = connect(options);
  try {
    return await migrateSchema(connection, schema);
  } finally {
    await connection.close();
  }
}

function connect(options: StoreOptions): { readonly connection: Connection; readonly schema: string } {
  const schema = options.schema ?? DEFAULT_SCHEMA;
  // It becomes part of statements that take no values.
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema))
    throw new MaydayError('RECORD_CANNOT_OPEN', `${JSON.stringify(schema)} is no name of a schema`, [
      ['do', 'use small letters, digits and _ only'],
    ]);
  return { connection: new Connection({ ...options, schema }), schema };
}
