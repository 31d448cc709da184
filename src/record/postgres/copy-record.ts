/**
 * `copyRecord`: copies a record from its SQLite file into an empty PostgreSQL store, table by table, in one transaction. Bodies, salts,
 * hashes and fences stay as they are, so that every chain that held before holds afterwards.
 */
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import { MaydayError } from '../../platform/mayday-error.ts';
import { madeHere } from '../redaction/redacted.ts';
import { schemaState } from '../sqlite/schema.ts';
import { TRANSACTION } from './parts/bus-id.ts';
import type { Bound, Connection, Query } from './connection.ts';
import { ROW_TYPES } from './parts/rows.ts';

/** `boolean`: kept as 0 or 1 in SQLite. */
type Type = 'bigint' | 'integer' | 'text' | 'boolean' | 'double precision';
type Table = { readonly name: string; readonly columns: Readonly<Record<string, Type>> };

/** In this order: what others refer to comes first. `run` is the number of the run, which stays. */
const TABLES: readonly Table[] = [
  {
    name: 'runs',
    columns: {
      run: 'bigint',
      run_id: 'text',
      folded_id: 'text',
      head_seq: 'bigint',
      ledger_seq: 'bigint',
      ledger_hash: 'text',
      fence: 'bigint',
      held: 'boolean',
      owner: 'text',
      expires_at: 'bigint',
    },
  },
  {
    name: 'events',
    columns: {
      run: 'bigint',
      seq: 'bigint',
      at: 'bigint',
      version: 'integer',
      type: 'text',
      fence: 'bigint',
      body: 'text',
    },
  },
  {
    name: 'commands',
    columns: {
      run: 'bigint',
      key: 'text',
      seq: 'bigint',
      position: 'integer',
      type: 'text',
      created_at: 'bigint',
      begun_at: 'bigint',
      settled: 'boolean',
      body: 'text',
    },
  },
  { name: 'timers', columns: { run: 'bigint', name: 'text', due_at: 'bigint' } },
  { name: 'mailbox', columns: { id: 'bigint', run: 'bigint', at: 'bigint', body: 'text' } },
  {
    name: 'ledger',
    columns: {
      id: 'text',
      run: 'bigint',
      seq: 'bigint',
      kind: 'text',
      at: 'bigint',
      salt: 'text',
      payload: 'text',
      commitment: 'text',
      previous_hash: 'text',
      hash: 'text',
    },
  },
  {
    name: 'run_rows',
    columns: {
      run: 'bigint',
      ...ROW_TYPES,
      view: 'text',
      change: 'bigint',
    },
  },
  {
    name: 'run_metrics',
    columns: { id: 'text', repository: 'text', at: 'bigint', imported: 'boolean', body: 'text' },
  },
  {
    name: 'lessons',
    columns: {
      repository: 'text',
      id: 'text',
      hash: 'text',
      origin: 'text',
      stamp: 'text',
      updated_at: 'bigint',
      title: 'text',
      guidance: 'text',
      words: 'text',
      document: 'text',
    },
  },
  { name: 'bus', columns: { id: 'bigint', at: 'bigint', source: 'text', body: 'text' } },
  {
    name: 'bus_tasks',
    columns: { agent_id: 'text', task_id: 'text', running_since: 'bigint', body: 'text' },
  },
  { name: 'bus_agents', columns: { name: 'text', external: 'boolean', body: 'text' } },
  { name: 'holds', columns: { key: 'text', lifted_at: 'bigint', body: 'text' } },
  { name: 'sightings', columns: { run_id: 'text', key: 'text', at: 'bigint' } },
];

/** So many rows travel at once. */
const BATCH = 500;
/** Their counters go on after the last number that was copied. */
const COUNTED = [
  ['runs', 'run'],
  ['mailbox', 'id'],
] as const;

/** How many rows of each table were copied. */
export type Copied = Readonly<Record<string, number>>;

/** `path`: the SQLite file. It is only read. `now`: the time by which a lease in it is still held. */
export async function copyRecord(connection: Connection, path: string, now: number): Promise<Copied> {
  const source = new DatabaseSync(path, { readOnly: true });
  try {
    // One look at one moment, whoever writes meanwhile.
    source.exec('BEGIN');
    if (schemaState(source) !== 'current') throw notCurrent(path);
    refuseLiveRuns(source, now);
    // An earlier copy may have ended before its last step.
    await numberChanges(connection);
    const copied = await connection.transaction(async (query) => {
      await refuseUsedStore(query, connection.address);
      const counts: [string, number][] = [];
      for (const table of TABLES) counts.push([table.name, await copyTable(source, query, table)]);
      for (const [name, column] of COUNTED)
        await query(
          `SELECT setval(pg_get_serial_sequence('${name}', '${column}'), greatest((SELECT max(${column}) FROM ${name}), 1))`,
        );
      return Object.fromEntries(counts);
    });
    await numberChanges(connection);
    return copied;
  } finally {
    source.close();
  }
}

async function copyTable(source: DatabaseSync, query: Query, { name, columns }: Table): Promise<number> {
  const names = Object.keys(columns);
  const overriding = name === 'runs' || name === 'mailbox' ? 'OVERRIDING SYSTEM VALUE' : '';
  const places = Object.values(columns).map((type, index) => `$${index + 1}::${type}[]`);
  const sql = `INSERT INTO ${name} (${names.join(', ')}) ${overriding} SELECT * FROM unnest(${places.join(', ')})`;
  let [copied, batch]: [number, Record<string, SQLOutputValue>[]] = [0, []];
  const send = async (): Promise<void> => {
    if (batch.length === 0) return;
    await query(
      sql,
      Object.entries(columns).map(([column, type]) => batch.map((row) => bound(row[column] ?? null, type))),
    );
    copied += batch.length;
    batch = [];
  };
  const read = names.map((column) => (column === 'change' ? '0 AS change' : column)).join(', ');
  for (const row of source.prepare(`SELECT ${read} FROM ${name}`).iterate()) {
    batch.push(row);
    if (batch.length >= BATCH) await send();
  }
  await send();
  return copied;
}

function bound(value: SQLOutputValue, type: Type): Exclude<Bound, readonly unknown[]> {
  if (type === 'boolean') return value === 1;
  if (typeof value === 'string') return madeHere(value);
  return typeof value === 'number' || value === null ? value : Number(value);
}

/** Readers follow changes by the number of their transaction: every run gets one of its own. */
async function numberChanges(connection: Connection): Promise<void> {
  const runs = await connection.read('SELECT run FROM run_rows WHERE change = 0 ORDER BY updated_at, run');
  for (const row of runs)
    await connection.write(`UPDATE run_rows SET change = ${TRANSACTION} WHERE run = $1`, [
      row['run'] as number,
    ]);
}

function refuseLiveRuns(source: DatabaseSync, now: number): void {
  const live = source
    .prepare('SELECT run_id FROM runs WHERE held = 1 AND expires_at > ? ORDER BY run LIMIT 5')
    .all(now)
    .map((row) => String(row['run_id']));
  if (live.length === 0) return;
  throw new MaydayError('STORE_IN_USE', `keepers work on ${live.join(', ')}`, [
    ['did', 'Copied nothing: what they write now would stay behind.'],
    ['do', `Let them end, or stop them (\`mayday stop ${live[0]}\`), then copy.`],
  ]);
}

async function refuseUsedStore(query: Query, address: string): Promise<void> {
  const [row] = await query('SELECT count(*) AS runs FROM runs');
  if (row?.['runs'] === 0) return;
  throw new MaydayError('STORE_NOT_EMPTY', `${address} holds runs already.`, [
    ['did', 'Copied nothing and changed nothing.'],
    ['do', 'Copy into a new database: two records cannot become one.'],
  ]);
}

function notCurrent(path: string): MaydayError {
  return new MaydayError('RECORD_NOT_CURRENT', `${path} was written by another version of Mayday.`, [
    ['did', 'Copied nothing.'],
    ['do', 'Run `mayday ps` once without MAYDAY_STORE, which brings the file up to date; then copy.'],
  ]);
}
