/** `isLost`, `unavailable`, `unknownOutcome`, `postgresError`: tell errors of PostgreSQL apart and give each a code and advice. */
import { codeOf } from '../../platform/file/file-kind.ts';
import { MaydayError } from '../../platform/mayday-error.ts';
import { CommitUnknown, RecordUnavailable } from '../contract/record-unavailable.ts';
import { StaleWriter } from '../contract/record-unavailable.ts';

/** Our own, raised by `mayday_refuse` inside a statement: the whole statement is then taken back. */
export const REFUSED_STALE = 'MD001';
export const REFUSED = 'MD002';

/**
 * Class 08 is the connection, 53 a lack of resources, 57P0x a server that stops or starts, 57014 a statement that took too long, 25P03 a
 * transaction whose host was away too long, 25006 a standby.
 */
const AWAY = /^(?:08...|53...|57P0.|57014|25P03|25006)$/;
/** The server took the transaction back for the sake of another: it may be tried again at once. */
const CONFLICTS: ReadonlySet<string> = new Set(['40001', '40P01', '55P03']);
const REFUSED_LOGIN = /^(?:28...|3D000|42501)$/;
/** Errors of the system and of streams: ECONNRESET, ERR_STREAM_DESTROYED. The server's own codes have five characters and digits. */
const SOCKET_CODE = /^(?:E(?!RR_)[A-Z_]+|ERR_(?:STREAM|SOCKET)_[A-Z_]+)$/;

/** The server did not answer. Errors of the driver carry no code where the connection ended under a query. */
export function isLost(error: unknown): boolean {
  const code = codeOf(error);
  if (AWAY.test(code) || SOCKET_CODE.test(code)) return true;
  return code === '' && error instanceof Error && /connection|timeout/i.test(error.message);
}

export function isConflict(error: unknown): boolean {
  return CONFLICTS.has(codeOf(error));
}

export function unavailable(error: unknown, address: string): RecordUnavailable {
  return new RecordUnavailable('RECORD_UNAVAILABLE', `${address} does not answer.`, [
    ['did', 'Wrote nothing; agents that run go on, and their output is kept on this host.'],
    [
      'do',
      'Look whether the server runs and this host reaches it; Mayday goes on by itself once it answers.',
    ],
  ]).causedBy(error);
}

export function unknownOutcome(error: unknown, address: string): CommitUnknown {
  return new CommitUnknown(
    'RECORD_OUTCOME_UNKNOWN',
    `The connection to ${address} was lost while a turn was being written: it may be there or not.`,
    [
      ['did', 'Keepers read the record back and write only what is missing.'],
      ['do', 'Look whether the server runs and this host reaches it.'],
    ],
  ).causedBy(error);
}

/** Gives an error of the server a code and advice; anything else comes back as it is. */
export function postgresError(error: unknown, address: string): unknown {
  const code = codeOf(error);
  if (code === REFUSED_STALE) return new StaleWriter((error as Error).message);
  if (code === REFUSED) return new Error((error as Error).message, { cause: error });
  if (REFUSED_LOGIN.test(code))
    return new MaydayError('RECORD_CANNOT_OPEN', `${address} refuses this login`, [
      ['do', 'check user, password and database in MAYDAY_STORE, and what that user may do'],
    ]).causedBy(error);
  // Tried again and again without luck: others keep it busy.
  return isLost(error) || isConflict(error) ? unavailable(error, address) : error;
}
