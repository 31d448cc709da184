/** What lies on disk, read with nothing but SQLite, PostgreSQL and git: no code of Mayday's. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Where a record is: in the home, or in the store that the environment names. */
export interface Disk {
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface Line {
  readonly seq: number;
  readonly type: string;
  readonly body: string;
}

export interface Evidence {
  readonly kind: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

export function journal(from: Disk): Line[] {
  return rows(from, 'events', 'SELECT seq, type, body FROM events ORDER BY run, seq') as unknown as Line[];
}

export function eventsOf(from: Disk): (Record<string, unknown> & { readonly type: string })[] {
  return journal(from).map(({ body }) => JSON.parse(body) as { type: string });
}

/** Names with an @ are chains of evidence that no run owns. */
export function runName(from: Disk): string | undefined {
  return rows(from, 'runs', "SELECT run_id FROM runs WHERE run_id NOT LIKE '@%'")[0]?.['run_id'] as
    | string
    | undefined;
}

export function letters(from: Disk): number {
  return rows(from, 'mailbox', 'SELECT id FROM mailbox').length;
}

export function evidence(from: Disk): Evidence[] {
  return rows(from, 'ledger', 'SELECT kind, payload FROM ledger ORDER BY run, seq').map(
    ({ kind, payload }) => ({ kind: kind as string, payload: JSON.parse(payload as string) }),
  );
}

export function lessonNames(from: Disk): string[] {
  return rows(from, 'lessons', 'SELECT id FROM lessons ORDER BY id').map(({ id }) => id as string);
}

/** What several tests read in a public view. */
interface View extends Readonly<Record<string, unknown>> {
  readonly run_id: string;
  readonly state: string;
  readonly holds: readonly unknown[];
  readonly incidents: readonly unknown[];
}

/** The public view of the one run. */
export function view(from: Disk): Record<string, unknown> {
  return views(from)[0] ?? {};
}

export function views(from: Disk): readonly View[] {
  const found = rows(from, 'run_rows', 'SELECT view FROM run_rows ORDER BY run');
  return found.map((row) => JSON.parse(row['view'] as string) as View);
}

export function textOf(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

function rows({ home, env }: Disk, table: string, query: string): Record<string, unknown>[] {
  const store = env['MAYDAY_STORE'];
  if (store !== undefined) return storeRows(store, table, query);
  const path = join(home, 'record.db');
  if (!existsSync(path)) return [];
  const database = new DatabaseSync(path, { readOnly: true, timeout: 10_000 });
  try {
    const made = database.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(table);
    return made === undefined ? [] : database.prepare(query).all();
  } finally {
    database.close();
  }
}

const ASK_STORE = `import pg from 'pg';
const [address, table, query] = process.argv.slice(1);
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
const client = new pg.Client({ connectionString: address, options: '-c search_path=mayday' });
await client.connect();
const { rows: [made] } = await client.query('SELECT to_regclass($1) AS name', [table]);
console.log(JSON.stringify(made.name === null ? [] : (await client.query(query)).rows));
await client.end();`;

/** In a process of its own: whoever reads a record here waits for it. */
function storeRows(store: string, table: string, query: string): Record<string, unknown>[] {
  const args = ['--input-type=module', '-e', ASK_STORE, store, table, query];
  const told = execFileSync(process.execPath, args, { cwd: import.meta.dirname, encoding: 'utf8' });
  return JSON.parse(told) as Record<string, unknown>[];
}
