/** `migrate`, `schemaState`: the tables of the SQLite record and how older ones become current. */
import type { DatabaseSync } from 'node:sqlite';
import { MaydayError } from '../../platform/mayday-error.ts';

/** 'MAYD': tells our file from any other SQLite database. */
export const APPLICATION_ID = 0x4d415944;

/**
 * Migrations, oldest first; `user_version` counts those applied. Never edit one that was released: add another.
 * `sum` columns hold a checksum of their row, see checksum.ts.
 */
const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE store (id TEXT NOT NULL) STRICT;

  -- One small row per run: where its journal and ledger end, and who may write.
  CREATE TABLE runs (
    run INTEGER PRIMARY KEY,
    run_id TEXT NOT NULL UNIQUE,
    folded_id TEXT NOT NULL UNIQUE,
    head_seq INTEGER NOT NULL,
    ledger_seq INTEGER NOT NULL,
    ledger_hash TEXT NOT NULL,
    fence INTEGER NOT NULL,
    held INTEGER NOT NULL,
    owner TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    sum INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE events (
    run INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    at INTEGER NOT NULL,
    version INTEGER NOT NULL,
    type TEXT NOT NULL,
    fence INTEGER NOT NULL,
    sum INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (run, seq)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE commands (
    command INTEGER PRIMARY KEY,
    run INTEGER NOT NULL,
    key TEXT NOT NULL,
    seq INTEGER NOT NULL,
    type TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    begun_at INTEGER,
    settled INTEGER NOT NULL DEFAULT 0,
    sum INTEGER NOT NULL,
    body TEXT NOT NULL,
    UNIQUE (run, key)
  ) STRICT;
  CREATE INDEX commands_pending ON commands (run, command) WHERE settled = 0;

  CREATE TABLE timers (
    run INTEGER NOT NULL,
    name TEXT NOT NULL,
    due_at INTEGER NOT NULL,
    sum INTEGER NOT NULL,
    PRIMARY KEY (run, name)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX timers_due ON timers (due_at);

  -- AUTOINCREMENT: the number of a taken item is never given to another.
  CREATE TABLE mailbox (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    run INTEGER NOT NULL,
    at INTEGER NOT NULL,
    sum INTEGER NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX mailbox_run ON mailbox (run);

  CREATE TABLE ledger (
    id TEXT NOT NULL PRIMARY KEY,
    run INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    kind TEXT NOT NULL,
    at INTEGER NOT NULL,
    salt TEXT NOT NULL,
    payload TEXT,
    commitment TEXT NOT NULL,
    previous_hash TEXT NOT NULL,
    hash TEXT NOT NULL,
    UNIQUE (run, seq)
  ) STRICT;

  CREATE TABLE run_rows (
    run INTEGER PRIMARY KEY,
    run_id TEXT NOT NULL,
    title TEXT NOT NULL,
    state TEXT NOT NULL,
    stage TEXT NOT NULL,
    agent TEXT NOT NULL,
    repository TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    progress_at INTEGER NOT NULL,
    cost_usd REAL NOT NULL,
    needs_person INTEGER NOT NULL,
    ended INTEGER NOT NULL,
    sum INTEGER NOT NULL,
    view TEXT NOT NULL
  ) STRICT;
  CREATE INDEX run_rows_listed ON run_rows (needs_person DESC, ended, updated_at DESC);
  `,
  `
  CREATE TABLE lessons (
    lesson INTEGER PRIMARY KEY,
    repository TEXT NOT NULL,
    id TEXT NOT NULL,
    hash TEXT NOT NULL,
    origin TEXT NOT NULL,
    stamp TEXT NOT NULL,
    updated_at INTEGER NOT NULL,
    title TEXT NOT NULL,
    guidance TEXT NOT NULL,
    words TEXT NOT NULL,
    document TEXT NOT NULL,
    UNIQUE (repository, id)
  ) STRICT;
  CREATE VIRTUAL TABLE lesson_text USING fts5 (
    title, guidance, words, content = 'lessons', content_rowid = 'lesson', tokenize = 'porter unicode61'
  );

  -- Small rows in a table of their own: a report over all runs must not walk past their views.
  CREATE TABLE run_metrics (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    repository TEXT NOT NULL,
    at INTEGER NOT NULL,
    imported INTEGER NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX run_metrics_at ON run_metrics (at);
  `,
  `
  -- Nothing is ever taken out of it: ids have no gaps.
  CREATE TABLE bus (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    source TEXT NOT NULL,
    sum INTEGER NOT NULL,
    body TEXT NOT NULL
  ) STRICT;

  -- Folded from the stream, so that nobody has to read it from the start.
  CREATE TABLE bus_tasks (
    agent_id TEXT NOT NULL,
    task_id TEXT NOT NULL,
    latest_id INTEGER NOT NULL,
    running_since INTEGER,
    sum INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (agent_id, task_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX bus_tasks_running ON bus_tasks (running_since) WHERE running_since IS NOT NULL;
  CREATE TABLE bus_agents (
    name TEXT NOT NULL,
    external INTEGER NOT NULL,
    sum INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (name, external)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- What many runs share. Hints that time replaces.
  CREATE TABLE holds (
    key TEXT NOT NULL PRIMARY KEY,
    lifted_at INTEGER,
    body TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE sightings (
    sighting INTEGER PRIMARY KEY,
    run_id TEXT NOT NULL,
    key TEXT NOT NULL,
    at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX sightings_at ON sightings (at);
  `,
  `
  -- The place of a command within its turn: the order is stored, not that of insertion.
  ALTER TABLE commands ADD COLUMN position INTEGER NOT NULL DEFAULT 0;
  UPDATE commands SET position = placed.position
    FROM (SELECT command, row_number() OVER (PARTITION BY run, seq ORDER BY command) - 1 AS position FROM commands) placed
    WHERE placed.command = commands.command;
  DROP INDEX commands_pending;
  CREATE INDEX commands_ordered ON commands (run, seq, position);
  CREATE INDEX commands_pending ON commands (run, seq, position) WHERE settled = 0;

  -- The number of the latest change of the run; live views ask for what came after the last one they saw.
  ALTER TABLE run_rows ADD COLUMN change INTEGER NOT NULL DEFAULT 0;
  UPDATE run_rows SET change = run;
  CREATE INDEX run_rows_change ON run_rows (change);
  `,
  `
  -- Nothing changes here but the number: events of version 2 follow, and a Mayday that cannot fold them must not write after them.
  `,
];

export const SCHEMA_VERSION = MIGRATIONS.length;

export type SchemaState = 'current' | 'behind' | 'newer';

export function schemaState(database: DatabaseSync): SchemaState {
  // In this order: another process may make the record meanwhile, all of it at once.
  const tables = database.prepare('SELECT count(*) AS n FROM sqlite_schema').get()?.['n'] as number;
  const application = pragma(database, 'application_id');
  const version = pragma(database, 'user_version');
  if (application !== APPLICATION_ID && (tables > 0 || application !== 0)) throw foreignDatabase(database);
  if (version > SCHEMA_VERSION) return 'newer';
  return version === SCHEMA_VERSION ? 'current' : 'behind';
}

/** Inside one write transaction: several processes may open a new record at once, one of them builds it. */
export function migrate(database: DatabaseSync, to: number = SCHEMA_VERSION): void {
  for (let version = pragma(database, 'user_version'); version < to; version++) {
    database.exec(MIGRATIONS[version] as string);
    if (version === 0) {
      database.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
      database
        .prepare('INSERT INTO store (id) VALUES (?)')
        .run(process.getBuiltinModule('node:crypto').randomUUID());
    }
    database.exec(`PRAGMA user_version = ${version + 1}`);
  }
}

export function newerRecord(path: string): MaydayError {
  return new MaydayError('RECORD_NEWER', `${path} was written by a newer Mayday`, [
    ['did', 'opened it for reading only; nothing was changed'],
    ['do', 'update Mayday on this machine, or set MAYDAY_HOME to a separate folder for the old version'],
  ]);
}

function foreignDatabase(database: DatabaseSync): MaydayError {
  return new MaydayError(
    'RECORD_FOREIGN',
    `${database.location() ?? 'The file'} is a database of another program`,
    [
      ['did', 'left it alone'],
      ['do', 'point MAYDAY_HOME to a folder of its own'],
    ],
  );
}

function pragma(database: DatabaseSync, name: 'user_version' | 'application_id'): number {
  return database.prepare(`PRAGMA ${name}`).get()?.[name] as number;
}
