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

interface Column {
  readonly name: string;
  /** As PostgreSQL calls it; a `boolean` is kept as 0 or 1 in SQLite. */
  readonly type: string;
  /** Its counter goes on after the last number that was copied. */
  readonly isCounted: boolean;
}

/** So many rows travel at once. */
const BATCH = 500;
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
      for (const [table, columns] of await sharedColumns(source, query)) {
        counts.push([table, await copyTable(source, query, table, columns)]);
        for (const { name } of columns.filter(({ isCounted }) => isCounted))
          await query(
            `SELECT setval(pg_get_serial_sequence('${table}', '${name}'), greatest((SELECT max(${name}) FROM ${table}), 1))`,
          );
      }
      return Object.fromEntries(counts);
    });
    await numberChanges(connection);
    return copied;
  } finally {
    source.close();
  }
}

/** The tables that both stores have, `runs` first, and of each the columns that both have. Each store names itself: `store` stays. */
async function sharedColumns(
  source: DatabaseSync,
  query: Query,
): Promise<ReadonlyMap<string, readonly Column[]>> {
  const found = await query(
    `SELECT table_name, column_name, data_type, is_identity FROM information_schema.columns
     WHERE table_schema = current_schema() AND is_generated = 'NEVER' AND table_name <> 'store'`,
  );
  const pairs = source
    .prepare(
      'SELECT t.name AS "table", c.name FROM sqlite_schema t, pragma_table_info(t.name) c ORDER BY t.rowid',
    )
    .all();
  const shared = pairs.flatMap(({ table, name }) => {
    const row = found.find((each) => each['table_name'] === table && each['column_name'] === name);
    if (row === undefined) return [];
    const type = row['data_type'] as string;
    return [{ table: String(table), name: String(name), type, isCounted: row['is_identity'] === 'YES' }];
  });
  return Map.groupBy(shared, ({ table }) => table);
}

async function copyTable(
  source: DatabaseSync,
  query: Query,
  table: string,
  columns: readonly Column[],
): Promise<number> {
  const names = columns.map(({ name }) => name);
  const places = columns.map(({ type }, index) => `$${index + 1}::${type}[]`);
  const sql = `INSERT INTO ${table} (${names.join(', ')}) OVERRIDING SYSTEM VALUE SELECT * FROM unnest(${places.join(', ')})`;
  let [copied, batch]: [number, Record<string, SQLOutputValue>[]] = [0, []];
  const send = async (): Promise<void> => {
    if (batch.length === 0) return;
    await query(
      sql,
      columns.map(({ name, type }) => batch.map((row) => bound(row[name] ?? null, type))),
    );
    copied += batch.length;
    batch = [];
  };
  const read = names.map((column) => (column === 'change' ? '0 AS change' : column)).join(', ');
  for (const row of source.prepare(`SELECT ${read} FROM ${table}`).iterate()) {
    batch.push(row);
    if (batch.length >= BATCH) await send();
  }
  await send();
  return copied;
}

function bound(value: SQLOutputValue, type: string): Exclude<Bound, readonly unknown[]> {
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
    ['did', 'copied nothing: what they write now would stay behind'],
    ['do', `let them end, or stop them (\`mayday stop ${live[0]}\`), then copy`],
  ]);
}

async function refuseUsedStore(query: Query, address: string): Promise<void> {
  const [row] = await query('SELECT count(*) AS runs FROM runs');
  if (row?.['runs'] === 0) return;
  throw new MaydayError('STORE_NOT_EMPTY', `${address} holds runs already`, [
    ['did', 'copied nothing and changed nothing'],
    ['do', 'copy into a new database: two records cannot become one'],
  ]);
}

function notCurrent(path: string): MaydayError {
  return new MaydayError('RECORD_NOT_CURRENT', `${path} was written by another version of Mayday`, [
    ['did', 'copied nothing'],
    ['do', 'run `mayday ps` once without MAYDAY_STORE, which brings the file up to date; then copy'],
  ]);
}
