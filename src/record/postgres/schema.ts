/** `prepareSchema`, `migrateSchema`: the tables of the PostgreSQL record and how older ones become current. */
import { randomUUID } from 'node:crypto';
import { MaydayError } from '../../platform/mayday-error.ts';
import { madeHere } from '../redaction/redacted.ts';
import type { Query, Connection } from './connection.ts';
import { REFUSED, REFUSED_STALE } from './postgres-error.ts';

/**
 * Migrations, oldest first; `store.version` counts those applied. They only go forward. Never edit one that was released: add another.
 * Texts are kept as exact-text.ts writes them.
 */
const MIGRATIONS: readonly string[] = [
  `
  -- The clock of the store. Tests give the time.
  CREATE FUNCTION store_now(given bigint) RETURNS bigint LANGUAGE sql STABLE AS
    'SELECT coalesce(given, (extract(epoch FROM clock_timestamp()) * 1000)::bigint)';

  -- Takes the whole statement back that it is called in.
  CREATE FUNCTION refuse(is_stale boolean, reason text) RETURNS boolean LANGUAGE plpgsql AS $$
  BEGIN
    RAISE EXCEPTION '%', reason USING ERRCODE = CASE WHEN is_stale THEN '${REFUSED_STALE}' ELSE '${REFUSED}' END;
  END $$;

  -- One small row per run: where its journal and ledger end, and who may write.
  CREATE TABLE runs (
    run bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    run_id text NOT NULL UNIQUE,
    folded_id text NOT NULL UNIQUE,
    head_seq bigint NOT NULL,
    ledger_seq bigint NOT NULL,
    ledger_hash text NOT NULL,
    fence bigint NOT NULL,
    held boolean NOT NULL,
    owner text NOT NULL,
    expires_at bigint NOT NULL
  );
  CREATE INDEX runs_expiring ON runs (expires_at) WHERE held;

  CREATE TABLE events (
    run bigint NOT NULL REFERENCES runs,
    seq bigint NOT NULL,
    at bigint NOT NULL,
    version integer NOT NULL,
    type text NOT NULL,
    fence bigint NOT NULL,
    body text NOT NULL,
    PRIMARY KEY (run, seq)
  );

  CREATE TABLE commands (
    run bigint NOT NULL REFERENCES runs,
    key text NOT NULL,
    seq bigint NOT NULL,
    position integer NOT NULL,
    type text NOT NULL,
    created_at bigint NOT NULL,
    begun_at bigint,
    settled boolean NOT NULL,
    body text NOT NULL,
    PRIMARY KEY (run, key)
  );
  CREATE INDEX commands_pending ON commands (run, seq, position) WHERE NOT settled;

  CREATE TABLE timers (
    run bigint NOT NULL REFERENCES runs,
    name text NOT NULL,
    due_at bigint NOT NULL,
    PRIMARY KEY (run, name)
  );
  CREATE INDEX timers_due ON timers (due_at);

  CREATE TABLE mailbox (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    run bigint NOT NULL REFERENCES runs,
    at bigint NOT NULL,
    body text NOT NULL
  );
  CREATE INDEX mailbox_run ON mailbox (run);

  CREATE TABLE ledger (
    id text NOT NULL PRIMARY KEY,
    run bigint NOT NULL REFERENCES runs,
    seq bigint NOT NULL,
    kind text NOT NULL,
    at bigint NOT NULL,
    salt text NOT NULL,
    payload text,
    commitment text NOT NULL,
    previous_hash text NOT NULL,
    hash text NOT NULL,
    UNIQUE (run, seq)
  );

  -- change: the transaction of the latest turn; see parts/bus-id.ts.
  CREATE TABLE run_rows (
    run bigint PRIMARY KEY REFERENCES runs,
    run_id text NOT NULL,
    title text NOT NULL,
    state text NOT NULL,
    stage text NOT NULL,
    agent text NOT NULL,
    repository text NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    progress_at bigint NOT NULL,
    cost_usd double precision NOT NULL CHECK (cost_usd < 'Infinity'),
    needs_person boolean NOT NULL,
    ended boolean NOT NULL,
    view text NOT NULL,
    change bigint NOT NULL
  );
  CREATE INDEX run_rows_listed ON run_rows (needs_person DESC, ended, updated_at DESC);
  CREATE INDEX run_rows_change ON run_rows (change);

  CREATE TABLE run_metrics (
    id text NOT NULL PRIMARY KEY,
    repository text NOT NULL,
    at bigint NOT NULL,
    imported boolean NOT NULL,
    body text NOT NULL
  );
  CREATE INDEX run_metrics_at ON run_metrics (at);

  CREATE TABLE lessons (
    repository text NOT NULL,
    id text NOT NULL,
    hash text NOT NULL,
    origin text NOT NULL,
    stamp text NOT NULL,
    updated_at bigint NOT NULL,
    title text NOT NULL,
    guidance text NOT NULL,
    words text NOT NULL,
    document text NOT NULL,
    found_by tsvector GENERATED ALWAYS AS (
      setweight(to_tsvector('english', title), 'A') || setweight(to_tsvector('english', words), 'B')
      || setweight(to_tsvector('english', guidance), 'D')) STORED,
    PRIMARY KEY (repository, id)
  );
  CREATE INDEX lessons_found_by ON lessons USING gin (found_by);

  CREATE TABLE bus (
    id bigint PRIMARY KEY,
    at bigint NOT NULL,
    source text NOT NULL,
    body text NOT NULL
  );
  -- Folded from the stream, so that nobody has to read it from the start.
  CREATE TABLE bus_tasks (
    agent_id text NOT NULL,
    task_id text NOT NULL,
    running_since bigint,
    body text NOT NULL,
    PRIMARY KEY (agent_id, task_id)
  );
  CREATE INDEX bus_tasks_running ON bus_tasks (running_since) WHERE running_since IS NOT NULL;
  CREATE TABLE bus_agents (
    name text NOT NULL,
    external boolean NOT NULL,
    body text NOT NULL,
    PRIMARY KEY (name, external)
  );

  -- What many runs share. Hints that time replaces.
  CREATE TABLE holds (
    key text NOT NULL PRIMARY KEY,
    lifted_at bigint,
    body text NOT NULL
  );
  CREATE TABLE sightings (
    sighting bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    run_id text NOT NULL,
    key text NOT NULL,
    at bigint NOT NULL
  );
  CREATE INDEX sightings_at ON sightings (at);
  CREATE TABLE store (id text NOT NULL, version integer NOT NULL, host text);
  `,
  `
  -- Hosts share the store. What a host writes says which one it was, and leases say where the files of a run are.
  CREATE TABLE hosts (
    id text NOT NULL PRIMARY KEY,
    name text NOT NULL,
    boot text NOT NULL,
    incarnation bigint NOT NULL,
    labels text[] NOT NULL,
    agents text[] NOT NULL,
    concurrency integer NOT NULL,
    mode text NOT NULL,
    lease_ms bigint NOT NULL,
    seen_at bigint NOT NULL
  );
  -- host: the one that has its files. origin: the one that has the person's repository. movable: another host can go on with it.
  ALTER TABLE runs ADD host text, ADD origin text, ADD account text, ADD priority integer NOT NULL DEFAULT 0,
    ADD labels text[] NOT NULL DEFAULT '{}', ADD movable boolean NOT NULL DEFAULT false;
  CREATE INDEX run_rows_queued ON run_rows (created_at) WHERE state = 'queued';
  -- What travels between hosts: bundles of git, and what says how to read them.
  CREATE TABLE parcels (
    run bigint NOT NULL REFERENCES runs,
    name text NOT NULL,
    position bigint GENERATED ALWAYS AS IDENTITY,
    fetched boolean NOT NULL DEFAULT false,
    body bytea NOT NULL,
    PRIMARY KEY (run, name)
  );
  CREATE INDEX parcels_not_fetched ON parcels (run) WHERE NOT fetched AND name = 'delivery';
  -- key: signs the words of people and the holds of the whole fleet. oldest: the oldest version that may still write here.
  ALTER TABLE store ADD key text, ADD oldest integer NOT NULL DEFAULT 2;
  `,
  `
  -- A turn takes the run of its events from the row that it holds locked: a second look for that row cost each turn a twentieth. While its
  -- row is listed, no run can be removed; verify.ts finds events without one.
  ALTER TABLE events DROP CONSTRAINT events_run_fkey;
  `,
  `
  -- To compress the document of a run cost each turn a seventh: it is kept as it is while it fits into a page.
  ALTER TABLE run_rows SET (toast_tuple_target = 8160);
  `,
];

export const SCHEMA_VERSION = MIGRATIONS.length;
/** Two processes that open a new store at once: one of them builds it. */
const MIGRATION_LOCK = 0x4d415944;

/** How many migrations the store has, 0 if it is new, and the oldest version of this table that may write to it. */
async function schemaVersion(ask: Query): Promise<{ readonly version: number; readonly oldest: number }> {
  const [found] = await ask(`SELECT to_regclass('store') IS NOT NULL AS is_there`);
  if (found?.['is_there'] !== true) return { version: 0, oldest: 0 };
  const [row] = await ask('SELECT * FROM store');
  const version = Number(row?.['version'] ?? 0);
  return { version, oldest: Number(row?.['oldest'] ?? version) };
}

/** Builds a new store. An older one is refused until a person migrates it, because hosts of the older version may be at work. */
export async function prepareSchema(connection: Connection, schema: string): Promise<void> {
  const { version, oldest } = await schemaVersion((sql, values) => connection.read(sql, values));
  if (oldest > SCHEMA_VERSION) throw newerStore(connection.address);
  if (version >= SCHEMA_VERSION) return;
  if (version > 0) throw olderStore(connection.address, version);
  await migrateSchema(connection, schema);
}

export interface Migrated {
  /** 0: the store was new. */
  readonly from: number;
  readonly to: number;
}

/** Forward only, in one transaction: it is migrated or it is as it was. */
export async function migrateSchema(connection: Connection, schema: string): Promise<Migrated> {
  return await connection.transaction(async (ask) => {
    await ask(`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})::text`);
    await ask(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
    const { version: from, oldest } = await schemaVersion(ask);
    if (oldest > SCHEMA_VERSION) throw newerStore(connection.address);
    if (from >= SCHEMA_VERSION) return { from, to: from };
    for (const migration of MIGRATIONS.slice(from))
      for (const statement of statementsOf(migration)) await ask(statement);
    if (from === 0)
      await ask('INSERT INTO store (id, version) VALUES ($1, $2)', [madeHere(randomUUID()), SCHEMA_VERSION]);
    else await ask('UPDATE store SET version = $1', [SCHEMA_VERSION]);
    return { from, to: SCHEMA_VERSION };
  });
}

/** The server prepares one statement at a time. A statement ends with a semicolon at the end of a line outside a function body. */
function statementsOf(migration: string): string[] {
  const pieces = migration.split(/;\s*$/m);
  const statements: string[] = [];
  let open = '';
  for (const piece of pieces) {
    open = open === '' ? piece : `${open};\n${piece}`;
    if ((open.match(/\$\$/g)?.length ?? 0) % 2 !== 0) continue;
    if (open.trim() !== '') statements.push(open);
    open = '';
  }
  return statements;
}

export function newerStore(address: string): MaydayError {
  return new MaydayError('RECORD_NEWER', `${address} was written by a newer Mayday`, [
    ['did', 'changed no run'],
    ['do', 'update Mayday on this host; hosts of one fleet may differ by one version while you update them'],
  ]);
}

function olderStore(address: string, version: number): MaydayError {
  return new MaydayError(
    'STORE_OLDER',
    `${address} has tables of version ${version}; this Mayday needs version ${SCHEMA_VERSION}`,
    [
      ['did', 'read and wrote nothing'],
      ['do', 'update Mayday on every host, back the database up, then `mayday store migrate` on one of them'],
    ],
  );
}
