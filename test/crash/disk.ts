/** What lies on disk, read with nothing but SQLite and git: no code of Mayday's. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export interface Line {
  readonly seq: number;
  readonly type: string;
  readonly body: string;
}

export interface Evidence {
  readonly kind: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

export function journal(home: string): Line[] {
  return rows(home, 'events', 'SELECT seq, type, body FROM events ORDER BY run, seq') as unknown as Line[];
}

export function eventsOf(home: string): (Record<string, unknown> & { readonly type: string })[] {
  return journal(home).map(({ body }) => JSON.parse(body) as { type: string });
}

/** Names with an @ are chains of evidence that no run owns. */
export function runName(home: string): string | undefined {
  return rows(home, 'runs', "SELECT run_id FROM runs WHERE run_id NOT LIKE '@%'")[0]?.['run_id'] as
    | string
    | undefined;
}

export function letters(home: string): number {
  return rows(home, 'mailbox', 'SELECT id FROM mailbox').length;
}

export function evidence(home: string): Evidence[] {
  return rows(home, 'ledger', 'SELECT kind, payload FROM ledger ORDER BY run, seq').map(
    ({ kind, payload }) => ({ kind: kind as string, payload: JSON.parse(payload as string) }),
  );
}

export function lessonNames(home: string): string[] {
  return rows(home, 'lessons', 'SELECT id FROM lessons ORDER BY lesson').map(({ id }) => id as string);
}

/** What several tests read in a public view. */
interface View extends Readonly<Record<string, unknown>> {
  readonly run_id: string;
  readonly state: string;
  readonly holds: readonly unknown[];
  readonly incidents: readonly unknown[];
}

/** The public view of the one run. */
export function view(home: string): Record<string, unknown> {
  return views(home)[0] ?? {};
}

export function views(home: string): readonly View[] {
  const found = rows(home, 'run_rows', 'SELECT view FROM run_rows ORDER BY rowid');
  return found.map((row) => JSON.parse(row['view'] as string) as View);
}

export function textOf(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

function rows(home: string, table: string, query: string): Record<string, unknown>[] {
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
