/** `openSqliteRecord`: opens the record in one file (plus its `-wal`, `-shm` and `ledger.anchor`); creates or migrates it where needed. */
import { closeSync, existsSync, openSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { makeFolder } from '../../platform/file/make-folder.ts';
import { MaydayError } from '../../platform/mayday-error.ts';
import { readOnly, storageError } from '../../platform/storage-error.ts';
import { Anchor, type AnchoredHead } from '../anchor.ts';
import type { RunRecord } from '../contract.ts';
import type { Redactor } from '../redaction/redact.ts';
import { isOf, readAnchorTail } from '../read-anchor.ts';
import { bus } from './parts/bus.ts';
import { BUSY_TIMEOUT_MS, Connection } from './connection.ts';
import type { RowSigner } from '../signed-hold.ts';
import { fleet } from './parts/fleet.ts';
import { journal } from './parts/journal.ts';
import { leases } from './parts/lease.ts';
import { ledger } from './parts/ledger.ts';
import { lessons } from './parts/lessons.ts';
import { type FileSystemLook, refuseNetworkFileSystem } from './refuse-network-file-system.ts';
import { metrics } from './parts/metrics.ts';
import { outbox } from './parts/outbox.ts';
import { migrate, newerRecord, schemaState } from './schema.ts';
import { cannotOpenForWriting, corruptRecord, isBusy, recordError } from './sqlite-error.ts';

interface SqliteRecordOptions {
  readonly path: string;
  /** `normal` survives the death of any process; `full` also survives power loss and costs an fsync per commit. */
  readonly durability?: 'normal' | 'full';
  /** How long to wait for another process that holds the database. */
  readonly lockDeadlineMs?: number;
  readonly fileSystem?: FileSystemLook;
  /** Hides secrets in everything that is written; without it, by their shape alone. Created at first use. */
  readonly redactor?: () => Redactor;
  /** Without it no row is signed, and every row counts. */
  readonly signer?: RowSigner;
  /** The clock of the store, in place of this machine's. */
  readonly now?: () => number;
  /** To look at what is left of a record whose end was lost; nothing may be written then. */
  readonly evenIfLost?: boolean;
  /** Where the heads are noted a second time. */
  readonly anchorFolder?: string | null;
}

export async function openSqliteRecord(options: SqliteRecordOptions): Promise<RunRecord> {
  const path = resolve(options.path);
  // The anchors are read before the database: the database must then hold every head they name.
  const mustHold = isEmpty(`${path}-wal`) ? readAnchorTail(anchorPathOf(path)) : [];
  const { database, refusal } = openDatabase(path, options.fileSystem);
  const connection = new Connection({ ...options, path, database, refusal });
  try {
    if (await connection.read(() => lacksAnchored(database, mustHold))) {
      if (options.evenIfLost !== true || !hasRuns(database))
        throw lostRecord(
          path,
          'has lost its latest events (its write-ahead log is gone, or an older copy was put back)',
        );
      connection.refuseWriting(lostRecord(path, 'has lost its latest events'));
    } else await prepare(connection, options.durability ?? 'normal', refusal);
  } catch (error) {
    database.close();
    throw error;
  }
  const anchorPath = anchorPathOf(path);
  let anchors: readonly Anchor[] | null = null;
  const storeId = (): string => connection.statement('SELECT id FROM store').get()?.['id'] as string;
  /** A second anchor elsewhere: replacing the folder of the store does not replace it. */
  const anchorPaths = (): readonly string[] =>
    options.anchorFolder ? [anchorPath, join(options.anchorFolder, `${storeId()}.anchor`)] : [anchorPath];
  const openAnchors = () => (anchors ??= anchorPaths().map((file) => new Anchor(file, storeId())));
  return {
    ...journal(connection, openAnchors),
    ...leases(connection),
    ...outbox(connection),
    ...bus(connection),
    ...fleet(connection),
    ...ledger(connection, openAnchors),
    ...lessons(connection),
    ...metrics(connection),
    hosts: null,
    redacted: <T>(value: T) => connection.redacted(value) as T,
    anchored: async (runId) => {
      const { anchoredJournal } = await import('./anchored-journal.ts');
      return await anchoredJournal(connection, { anchorPath, storeId: storeId(), runId });
    },
    verify: async () => {
      const { verifyStore } = await import('./verify.ts');
      const { database: own } = openDatabase(path, options.fileSystem);
      try {
        const { signer } = options;
        return await verifyStore(
          new Connection({ path, database: own, refusal: null, signer }),
          anchorPaths(),
        );
      } finally {
        own.close();
      }
    },
    close: async () => {
      for (const anchor of anchors ?? []) anchor.close();
      if (database.isOpen) database.close();
    },
  };
}

function openDatabase(
  path: string,
  fileSystem?: FileSystemLook,
): { database: DatabaseSync; refusal: MaydayError | null } {
  const directory = dirname(path);
  try {
    makeFolder(directory);
    refuseNetworkFileSystem(directory, fileSystem);
    refuseLostRecord(path);
    // SQLite gives its -wal and -shm files the mode of the database: create that one private.
    if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
  } catch (error) {
    throw storageError(error, path);
  }
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
    // Opening is lazy: the first read meets the real file.
    database.prepare('PRAGMA schema_version').get();
    return { database, refusal: null };
  } catch (error) {
    // Who closes the record last, or makes it, holds it for a moment: the reads that follow wait for that.
    if (database !== undefined && isBusy(error)) return { database, refusal: null };
    if (!cannotOpenForWriting(error)) throw recordError(error, path);
    return { database: openReadOnly(path), refusal: readOnly(path, error) };
  }
}

/** An empty file beside anchors that name a journal is a lost record, not a new one: it is not written to. */
function refuseLostRecord(path: string): void {
  const facts = statSync(path, { throwIfNoEntry: false });
  if (facts !== undefined && !facts.isFile()) throw corruptRecord(path, null);
  if (!isEmpty(path) || !isEmpty(`${path}-wal`) || isEmpty(anchorPathOf(path))) return;
  throw lostRecord(path, 'is empty or gone');
}

function isEmpty(path: string): boolean {
  const facts = statSync(path, { throwIfNoEntry: false });
  return facts?.isFile() !== true || facts.size === 0;
}

function lostRecord(path: string, what: string): MaydayError {
  return new MaydayError('RECORD_LOST', `${path} ${what}, but ledger.anchor tells of more`, [
    ['did', 'stopped before writing anything'],
    ['do', 'put record.db back together with its record.db-wal'],
    [
      'do',
      'to go on with an older copy, put it back and move ledger.anchor away: what came after it is forgotten',
    ],
    ['do', `or move ${dirname(path)} away to begin anew (worktrees and checkpoints are in it)`],
  ]);
}

/**
 * SQLite takes a database whose log is gone for a whole one: it then ends before what was committed, or holds nothing at all. Where there
 * is no log, everything that was anchored must be in the database itself.
 */
function lacksAnchored(database: DatabaseSync, anchored: ReturnType<typeof readAnchorTail>): boolean {
  if (anchored.length === 0) return false;
  if (!hasRuns(database)) return true;
  const storeId = database.prepare('SELECT id FROM store').get()?.['id'] as string;
  const last = anchored.at(-1);
  if (last !== undefined && !isOf(storeId, last.head, last.text)) return true;
  const headOf = database.prepare('SELECT head_seq, ledger_seq FROM runs WHERE run_id = ?');
  const heads = new Map<string, ReturnType<typeof headOf.get>>();
  const reachedBy = ({ chain, runId }: AnchoredHead): number => {
    const head = heads.get(runId) ?? headOf.get(runId);
    heads.set(runId, head);
    return Number(head?.[chain === 'journal' ? 'head_seq' : 'ledger_seq'] ?? 0);
  };
  // Hundreds of lines are of a few runs, and all but a few are reached: only those that are not need their checksum.
  return anchored.some(({ head, text }) => reachedBy(head) < head.seq && isOf(storeId, head, text));
}

function hasRuns(database: DatabaseSync): boolean {
  const tables = database
    .prepare(`SELECT count(*) AS n FROM sqlite_schema WHERE name IN ('store', 'runs')`)
    .get();
  return tables?.['n'] === 2;
}

function anchorPathOf(path: string): string {
  return join(dirname(path), 'ledger.anchor');
}

/** A record on a read-only disk can still be listed and shown; without a log beside it, it cannot change while it is read. */
function openReadOnly(path: string): DatabaseSync {
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false });
  const immutable = log === undefined || log.size === 0;
  try {
    const url = pathToFileURL(path);
    if (immutable) url.searchParams.set('immutable', '1');
    return new DatabaseSync(url, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
  } catch (error) {
    throw recordError(error, path);
  }
}

async function prepare(
  connection: Connection,
  durability: 'normal' | 'full',
  refusal: MaydayError | null,
): Promise<void> {
  const { database, path } = connection;
  const state = await connection.read(() => schemaState(database));
  if (state === 'newer') {
    connection.refuseWriting(newerRecord(path));
    return;
  }
  if (refusal !== null) {
    if (state === 'behind') throw refusal;
    return;
  }
  await connection.read(() => {
    // A log that once grew large (a long reader) is cut back to this size when it is reused.
    database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${durability};
      PRAGMA journal_size_limit = 16777216; PRAGMA cell_size_check = ON`);
  });
  if (state === 'behind') await connection.write(() => migrate(database));
}
