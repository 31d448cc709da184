/** `openRecord`: opens the record of this machine. `armFault`: lets a test end the process at its n-th durable write. */
import { writeSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, join, resolve, sep } from 'node:path';
import { recordPath } from '../act/run-files.ts';
import { makeFileOnce, setDurableWriteHook } from '../platform/file/durable-write.ts';
import { insideNote } from '../platform/container/inside-note.ts';
import { MaydayError, usageError } from '../platform/mayday-error.ts';
import type { RunRecord } from '../record/contract.ts';
import { createRedactor, type Redactor } from '../record/redaction/redact.ts';
import type { Copied } from '../record/postgres/copy-record.ts';
import type { PostgresRecord } from '../record/postgres/open.ts';
import type { Migrated } from '../record/postgres/schema.ts';
import { joinFleet, personKey, rowSigner } from './mail/person-key.ts';
import { openSqliteRecord } from '../record/sqlite/open.ts';
import { randomUUID } from 'node:crypto';
import { lookOrNull } from '../platform/file/vanished.ts';

/** `evenIfLost`: only to look at what is left of a record whose end was lost. */
export async function openRecord(
  home: string,
  env: NodeJS.ProcessEnv,
  { evenIfLost = false }: { readonly evenIfLost?: boolean } = {},
): Promise<RunRecord> {
  const inside = insideNote(home);
  if (inside !== null) throw notAPerson('the record of Mayday', inside.runId);
  const redactor = () => createRedactor({ environment: env });
  const signer = rowSigner(home);
  if (env['MAYDAY_STORE']) return await openStore(home, env['MAYDAY_STORE'], redactor);
  const path = recordPath(home);
  try {
    return await openSqliteRecord({
      path,
      anchorFolder: anchorFolder(home, env),
      evenIfLost,
      redactor,
      signer,
    });
  } catch (error) {
    const isLost = error instanceof MaydayError && error.code === 'RECORD_LOST';
    throw isLost ? await withLiveAgents(home, error) : error;
  }
}

/** The driver is loaded only where a store is named. */
async function openStore(home: string, address: string, redactor: () => Redactor): Promise<PostgresRecord> {
  assertStore(address);
  const { openPostgresRecord } = await import('../record/postgres/open.ts');
  const store = await openPostgresRecord({ address, host: homeId(home), redactor, signer: rowSigner(home) });
  const key = await store.hosts?.key(personKey(home).toString('hex'));
  if (key !== undefined) joinFleet(home, key);
  return store;
}

/** Brings the tables of the store up to date. */
export async function migrateStore(address: string): Promise<Migrated> {
  assertStore(address);
  const { migratePostgresRecord } = await import('../record/postgres/open.ts');
  return await migratePostgresRecord({ address });
}

function assertStore(address: string): void {
  if (!/^postgres(?:ql)?:\/\//.test(address))
    throw usageError('STORE_NOT_SUPPORTED', 'MAYDAY_STORE names a kind of store that Mayday does not know', [
      [
        'do',
        'use postgres://USER:PASSWORD@HOST/DATABASE, or unset MAYDAY_STORE for the record in MAYDAY_HOME',
      ],
    ]);
}

/** Copies the record in a SQLite file into an empty store, and verifies what arrived. */
export async function copyIntoStore(
  address: string,
  env: NodeJS.ProcessEnv,
  path: string,
): Promise<{ readonly copied: Copied; readonly problems: Awaited<ReturnType<RunRecord['verify']>> }> {
  const store = await openStore(dirname(path), address, () => createRedactor({ environment: env }));
  try {
    return { copied: await store.copyFrom(path, Date.now()), problems: await store.verify() };
  } finally {
    await store.close();
  }
}

/** The error for a process inside a run that asks for what only a person may have. */
export function notAPerson(what: string, runId: string): MaydayError {
  return new MaydayError(
    'NOT_A_PERSON',
    `${what} is for a person, and this is called from inside run ${runId}, which Mayday supervises`,
    [
      ['did', 'nothing was recorded and nothing was changed'],
      [
        'do',
        'let the person decide in their own terminal; an agent raises a blocker by the file in MAYDAY_BLOCKER',
      ],
    ],
  );
}

/** Adds the agents that still run to the error. No keeper watches them any more; Mayday does not touch them. */
async function withLiveAgents(home: string, error: MaydayError): Promise<MaydayError> {
  const { liveAgents } = await import('./watch/live-agents.ts');
  const living = liveAgents(home).map(
    ({ runId, attempt, pid }) => `run ${runId} attempt ${attempt}: process ${pid}`,
  );
  if (living.length === 0) return error;
  const named = `still running: ${living.join(', ')}; nothing watches them, and Mayday did not touch them`;
  return new MaydayError(error.code, error.message, [['happened', named], ...error.advice]).causedBy(error);
}

/**
 * The folder outside the home in which the heads are noted a second time: `MAYDAY_ANCHOR` (`none`: nowhere), otherwise the user's
 * state folder. A home in the temporary folder is short-lived and has none.
 */
function anchorFolder(home: string, env: NodeJS.ProcessEnv): string | null {
  const { MAYDAY_ANCHOR: named, XDG_STATE_HOME: state, HOME: user } = env;
  if (named) return named === 'none' || !isAbsolute(named) ? null : named;
  if (resolve(home).startsWith(`${tmpdir()}${sep}`)) return null;
  if (state && isAbsolute(state)) return join(state, 'mayday', 'anchors');
  return user && isAbsolute(user) ? join(user, '.local', 'state', 'mayday', 'anchors') : null;
}

/** The variable for each kind of process: a command starts keepers with its own environment, so that one variable would end both. */
const FAULTS = {
  keeper: 'MAYDAY_FAULT_KILL_AT_WRITE',
  command: 'MAYDAY_FAULT_KILL_COMMAND_AT_WRITE',
} as const;

/** `MAYDAY_FAULT_KILL_AT_WRITE=n` ends a keeper, as kill -9 would, just before its n-th durable write; the other one ends a command. */
export function armFault(env: NodeJS.ProcessEnv, who: keyof typeof FAULTS): void {
  const at = Number(env[FAULTS[who]]);
  if (!Number.isInteger(at) || at < 1) return;
  setDurableWriteHook((n) => {
    if (n !== at) return;
    // This line tells the test that the fault ended the process, and nothing else did.
    writeSync(2, `mayday fault: ${who} ended before its durable write ${n}\n`);
    process.kill(process.pid, 'SIGKILL');
  });
}

/**
 * The id of this host in a fleet. A host is a home of Mayday: two of them on one machine, or on machines with the same name, are two
 * hosts. The id is drawn once and kept in the home.
 */
export function homeId(home: string): string {
  const path = join(home, 'host-id');
  const known = lookOrNull(() => readFileSync(path, 'utf8'))?.trim();
  const id = known || makeFileOnce(path, `${randomUUID()}\n`).trim();
  if (id !== '') return id;
  throw new MaydayError('HOST_ID_EMPTY', `the file that holds the id of this host is empty: ${path}`, [
    ['do', `rm ${path}    a new id is drawn; runs that the old one held go on once their leases end`],
  ]);
}
