/**
 * `verifyStore`: reads everything once and compares pages, checksums, sequence numbers, chains and anchored heads. It changes nothing. It
 * is one read transaction, because other processes write meanwhile; `connection` is therefore used for nothing else.
 */
import { existsSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { readAnchor } from '../read-anchor.ts';
import { checksum } from '../checksum.ts';
import { brokenLink, GENESIS_HASH } from '../ledger-chain.ts';
import { foreignHold, holdIn } from '../signed-hold.ts';
import { eventsBetween, eventSum } from './parts/journal.ts';
import { eventsHash } from './note-heads.ts';
import type { Connection } from './connection.ts';
import { headOf, headSum, type RunHead } from './run-head.ts';
import { commandSum } from './parts/outbox.ts';
import { rowSum } from './parts/rows.ts';
import { migrate, schemaState } from './schema.ts';
import { isCorrupt } from './sqlite-error.ts';
import { eventOf, ledgerEntryOf, rowOf, busMessageOf } from '../stored-rows.ts';
import { messageSum } from './parts/bus.ts';

interface Problem {
  readonly runId: string | null;
  readonly problem: string;
}

/** One damaged page can spoil thousands of rows; after this many the answer is known. */
const MAX_PROBLEMS = 200;
/** A new record gets its first anchor line one system call after its first commit: `verify` waits that long for it. */
const FIRST_ANCHOR_MS = 200;

export async function verifyStore(
  connection: Connection,
  anchorPaths: readonly string[],
): Promise<readonly Problem[]> {
  // A head is anchored after its commit: what was anchored before the transaction began, the transaction sees.
  const anchors = anchorPaths.map((anchorPath, index) => ({
    anchorPath,
    anchoredBytes: statSync(anchorPath, { throwIfNoEntry: false })?.size ?? null,
    // A record that was moved here has no anchor of its own yet.
    mayLack: index > 0,
  }));
  connection.database.exec('PRAGMA cell_size_check = ON; BEGIN');
  const problems: Problem[] = [];
  const report = (runId: string | null, problem: string): void => {
    if (problems.length < MAX_PROBLEMS) problems.push({ runId, problem });
  };
  const attempt = async (runId: string | null, check: () => void | Promise<void>): Promise<void> => {
    try {
      await check();
    } catch (error) {
      // Damage is a finding of `verify`, not a failure.
      if (!isCorrupt(error)) throw error;
      report(runId, `the database is damaged: ${(error as Error).message}`);
    }
    await nextTurn();
  };

  await attempt(null, () => checkPages(connection, report));
  await attempt(null, () => checkSchema(connection, report));
  const heads: RunHead[] = [];
  await attempt(null, () => {
    for (const row of connection.database.prepare('SELECT * FROM runs ORDER BY run').iterate()) {
      const head = headOf(row);
      if (typeof head.runId !== 'string') {
        report(null, 'the row of a run is damaged');
        continue;
      }
      heads.push(head);
      if (headSum(head) !== row['sum']) report(head.runId, 'the row of the run is damaged');
    }
  });
  for (const head of heads) {
    await attempt(head.runId, () => checkJournal(connection, head, report));
    await attempt(head.runId, () => checkLedger(connection, head, report));
    // A shared chain of evidence is no run: nothing is derived from it.
    if (!head.runId.startsWith('@')) await attempt(head.runId, () => checkDerived(connection, head, report));
  }
  await attempt(null, () => checkBus(connection, report));
  await attempt(null, () => checkHolds(connection, report));
  await attempt(null, () => checkStrays(connection, report));
  for (const anchor of anchors)
    await attempt(null, () => checkAnchor(connection, { ...anchor, heads }, report));
  return problems;
}

export type ReportProblem = (runId: string | null, problem: string) => void;

function checkPages(connection: Connection, report: ReportProblem): void {
  const pageBytes = Number(connection.database.prepare('PRAGMA page_size').get()?.['page_size']);
  // SQLite reads a truncated last page as if it were filled with zeros.
  if (statSync(connection.path).size % pageBytes !== 0) report(null, 'the database is cut off within a page');
  for (const row of connection.database.prepare('PRAGMA integrity_check(20)').iterate()) {
    const text = row['integrity_check'] as string;
    if (text !== 'ok') report(null, `the database is damaged: ${text}`);
  }
}

/** The definitions of the tables are stored as text, which nothing else protects. */
function checkSchema(connection: Connection, report: ReportProblem): void {
  if (schemaState(connection.database) === 'newer') {
    report(null, 'a newer Mayday wrote this record: only that one can vouch for all of it');
    return;
  }
  const sql = `SELECT name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY name`;
  const fresh = new DatabaseSync(':memory:');
  migrate(fresh);
  const expected = JSON.stringify(fresh.prepare(sql).all());
  fresh.close();
  if (JSON.stringify(connection.database.prepare(sql).all()) !== expected)
    report(null, 'the definitions of the tables are damaged');
}

function checkJournal(connection: Connection, head: RunHead, report: ReportProblem): void {
  let seq = 0;
  let fence = 0;
  for (const row of rowsOf(connection, 'SELECT * FROM events WHERE run = ? ORDER BY seq', head)) {
    const event = eventOf(head.runId, row);
    if (event.seq !== seq + 1) report(head.runId, `event ${seq + 1} is missing`);
    if (eventSum(event) !== row['sum']) report(head.runId, `event ${event.seq} is damaged`);
    if (event.fence < fence) report(head.runId, `event ${event.seq} was written under an older fence`);
    seq = event.seq;
    fence = event.fence;
  }
  if (seq !== head.headSeq) report(head.runId, `the journal ends at event ${seq} instead of ${head.headSeq}`);
  if (fence > head.fence)
    report(head.runId, `the journal knows fence ${fence}, the lease only ${head.fence}`);
}

function checkLedger(connection: Connection, head: RunHead, report: ReportProblem): void {
  let end = { seq: 0, hash: GENESIS_HASH };
  for (const row of rowsOf(connection, 'SELECT * FROM ledger WHERE run = ? ORDER BY seq', head)) {
    const entry = ledgerEntryOf(head.runId, row);
    const problem = brokenLink(end, entry);
    if (problem !== null) report(head.runId, problem);
    end = entry;
  }
  if (end.seq !== head.ledgerSeq || end.hash !== head.ledgerHash)
    report(head.runId, `the ledger ends at entry ${end.seq} instead of ${head.ledgerSeq}`);
}

function checkDerived(connection: Connection, head: RunHead, report: ReportProblem): void {
  const { run, runId } = head;
  for (const row of rowsOf(connection, 'SELECT * FROM commands WHERE run = ?', head)) {
    const command = { key: row['key'] as string, type: row['type'] as string, body: row['body'] as string };
    if (commandSum(run, command) !== row['sum']) report(runId, `command ${command.key} is damaged`);
  }
  for (const row of rowsOf(connection, 'SELECT * FROM timers WHERE run = ?', head))
    if (checksum(run, row['name'] as string, row['due_at'] as number) !== row['sum'])
      report(runId, `timer ${row['name'] as string} is damaged`);
  for (const row of rowsOf(connection, 'SELECT * FROM mailbox WHERE run = ?', head))
    if (checksum(run, row['at'] as number, row['body'] as string) !== row['sum'])
      report(runId, `mailbox item ${row['id'] as number} is damaged`);
  const view = connection.database.prepare('SELECT * FROM run_rows WHERE run = ?').get(run);
  if (view === undefined) report(runId, 'the run is missing from the list of runs');
  else if (rowSum(rowOf(view)) !== view['sum']) report(runId, 'the row of the run in the list is damaged');
}

function checkHolds({ database, signer }: Connection, report: ReportProblem): void {
  for (const row of database.prepare('SELECT key, body FROM holds').iterate())
    if (holdIn(row['body'] as string, signer) === null) report(null, foreignHold(row['key'] as string));
}

function checkStrays(connection: Connection, report: ReportProblem): void {
  for (const table of ['events', 'commands', 'timers', 'mailbox', 'ledger', 'run_rows']) {
    const row = connection.database
      .prepare(`SELECT count(*) AS n FROM ${table} WHERE run NOT IN (SELECT run FROM runs)`)
      .get();
    if (row?.['n'] !== 0) report(null, `${String(row?.['n'])} rows of ${table} belong to no run`);
  }
}

async function checkAnchor(
  connection: Connection,
  {
    anchorPath,
    anchoredBytes,
    mayLack,
    heads,
  }: { anchorPath: string; anchoredBytes: number | null; mayLack: boolean; heads: readonly RunHead[] },
  report: ReportProblem,
): Promise<void> {
  if (anchoredBytes === null) {
    // The first head of a record may not be in the file yet.
    if (heads.length > 0 && !mayLack && !(await appears(anchorPath)))
      report(null, `${anchorPath} is missing: a cut-off end could not be noticed`);
    return;
  }
  const ends = new Map<string, RunHead>(heads.map((head) => [head.runId, head]));
  const journals = new Map<string, number>();
  const hashAt = connection.database.prepare(
    'SELECT l.hash FROM ledger l JOIN runs r USING (run) WHERE r.run_id = ? AND l.seq = ?',
  );
  const storeId = connection.database.prepare('SELECT id FROM store').get()?.['id'] as string;
  let foreign = 0;
  for await (const line of readAnchor(anchorPath, storeId, anchoredBytes)) {
    if (line.type === 'foreign') {
      foreign += 1;
      continue;
    }
    const { chain, runId, seq, from, hash } = line.head;
    if (chain === 'journal') {
      journals.set(runId, Math.max(seq, journals.get(runId) ?? 0));
      if (from !== undefined) checkEvents(connection, { runId, from, seq, hash }, report);
    } else if (hashAt.get(runId, seq)?.['hash'] !== hash)
      report(
        runId,
        `ledger entry ${seq} is not the one that was anchored: the ledger was cut off or replaced`,
      );
  }
  for (const [runId, seq] of journals)
    if ((ends.get(runId)?.headSeq ?? 0) < seq)
      report(runId, `the journal once reached event ${seq}: its end was lost or cut off`);
  if (foreign > 0)
    report(null, `${foreign} lines of ${anchorPath} belong to another record: the database was replaced`);
}

function checkEvents(
  connection: Connection,
  { runId, from, seq, hash }: { runId: string; from: number; seq: number; hash: string },
  report: ReportProblem,
): void {
  const events = eventsBetween(connection, runId, from, seq);
  // Missing events are reported by the check of the journal's head.
  if (events.length === seq - from + 1 && eventsHash(runId, from, events) !== hash)
    report(runId, `events ${from} to ${seq} are not those that were anchored: they were changed`);
}

async function appears(path: string): Promise<boolean> {
  if (!existsSync(path)) await sleep(FIRST_ANCHOR_MS);
  return existsSync(path);
}

function rowsOf(connection: Connection, sql: string, head: RunHead): Iterable<Record<string, unknown>> {
  return connection.database.prepare(sql).iterate(head.run);
}

type Row = Readonly<Record<string, string | number | null>>;

/** Reports gaps and damaged rows of the bus. */
function checkBus({ database }: Connection, report: ReportProblem): void {
  let last = 0;
  for (const row of database.prepare('SELECT * FROM bus ORDER BY id').iterate()) {
    const message = busMessageOf(row);
    if (message.id !== last + 1) report(null, `bus message ${last + 1} is missing`);
    if (messageSum(message) !== row['sum']) report(null, `bus message ${message.id} is damaged`);
    last = message.id;
  }
  for (const row of database.prepare('SELECT * FROM bus_tasks').iterate() as Iterable<Row>) {
    const { agent_id: agent = '', task_id: task = '', latest_id: latest = 0, running_since: since = 0 } = row;
    if (checksum(agent, task, latest, since, row['body'] ?? '') !== row['sum'])
      report(null, `what the bus says about task ${task} is damaged`);
    if (Number(latest) > last) report(null, `the bus once reached message ${latest}: its end was lost`);
  }
  for (const row of database.prepare('SELECT * FROM bus_agents').iterate() as Iterable<Row>)
    if (checksum(row['name'] ?? '', row['external'] ?? 0, row['body'] ?? '') !== row['sum'])
      report(null, `what the bus says about agent ${row['name']} is damaged`);
}
