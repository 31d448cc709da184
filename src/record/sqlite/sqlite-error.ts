/** `recordError` and its neighbours: tell errors of SQLite apart and give each a code and advice. */
import { closeSync, openSync, statSync } from 'node:fs';
import { MaydayError } from '../../platform/mayday-error.ts';
import { diskFull, readOnly, tooManyFiles } from '../../platform/storage-error.ts';
import { CommitUnknown, RecordUnavailable } from '../contract/record-unavailable.ts';
import { lookOrNull } from '../../platform/file/vanished.ts';
import { readOrNull, readProcess } from '../../platform/process/proc-table.ts';

// Primary and extended result codes of SQLite that we treat differently.
/** Our statements are fixed and tested: one that does not fit the tables means that another program changed them. */
const MISFIT = 1;
const BUSY = 5;
const LOCKED = 6;
const READONLY = 8;
const IOERR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANTOPEN = 14;
const NOTADB = 26;
const IOERR_FSYNC = 1034;
const IOERR_DIR_FSYNC = 1290;
/** The shared-memory file could not grow: in practice a full disk. */
const IOERR_SHMSIZE = 4874;

function resultCode(error: unknown): number | null {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode
    : null;
}

export function busyError(): Error {
  return Object.assign(new Error('database is busy'), { errcode: BUSY });
}

export function isBusy(error: unknown): boolean {
  const code = resultCode(error);
  return code !== null && ((code & 0xff) === BUSY || (code & 0xff) === LOCKED);
}

/** After a failed fsync the content of the disk is unknown; only a new process that reads it again may continue. */
export function isFsyncFailure(error: unknown): boolean {
  const code = resultCode(error);
  return code === IOERR_FSYNC || code === IOERR_DIR_FSYNC;
}

export function isCorrupt(error: unknown): boolean {
  const code = resultCode(error);
  return code !== null && [MISFIT, CORRUPT, NOTADB].includes(code & 0xff);
}

export function isMisfit(error: unknown): boolean {
  return resultCode(error) === MISFIT;
}

export function cannotOpenForWriting(error: unknown): boolean {
  const code = resultCode(error);
  return code !== null && [READONLY, CANTOPEN].includes(code & 0xff);
}

/** Gives an error of SQLite a code and advice; anything else comes back as it is. */
export function recordError(error: unknown, path: string): unknown {
  const code = resultCode(error);
  if (code === null) return error;
  if (code === IOERR_SHMSIZE) return diskFull(path, error);
  switch (code & 0xff) {
    case BUSY:
    case LOCKED:
      return recordLocked(path, error);
    case READONLY:
      return readOnly(path, error);
    case FULL:
      return diskFull(path, error);
    case MISFIT:
    case CORRUPT:
    case NOTADB:
      return corruptRecord(path, error);
    case CANTOPEN:
      if (isOutOfHandles()) return tooManyFiles('EMFILE', error);
      return new MaydayError('RECORD_CANNOT_OPEN', `${path} cannot be opened`, [
        ['do', 'check that the folder exists, is yours, and is not on a read-only disk; or set MAYDAY_HOME'],
      ]).causedBy(error);
    case IOERR:
      return diskFailed(path, error, code);
    default:
      return error;
  }
}

function recordLocked(path: string, cause: unknown): RecordUnavailable {
  const holder = lockHolder(path);
  const named = holder === null ? 'another process' : `process ${holder.pid} (${holder.command})`;
  const by = holder?.isStopped === true ? `${named}, which is stopped` : named;
  return new RecordUnavailable('RECORD_LOCKED', `${path} has been locked for 30 seconds by ${by}.`, [
    ['did', 'Waited, then wrote nothing; nothing that was acknowledged is lost.'],
    [
      'do',
      `End the holder, or let it go on if it is stopped (\`kill -CONT\`); \`fuser ${path}\` finds it. Then try again.`,
    ],
  ]).causedBy(cause);
}

/** SQLite does not say why a file cannot be opened: another one tells. */
function isOutOfHandles(): boolean {
  try {
    closeSync(openSync('/', 'r'));
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && (error.code === 'EMFILE' || error.code === 'ENFILE');
  }
}

/** The disk may recover, but after a failed fsync only a new process may continue. */
function diskFailed(path: string, cause: unknown, code: number): MaydayError {
  const failed = new RecordUnavailable(
    'RECORD_IO',
    `The disk failed while reading or writing ${path} (SQLite code ${code}).`,
    [
      ['did', 'Took the last write back whole; earlier acknowledged events are kept.'],
      ['do', 'Look at the system log for disk errors; then run `mayday verify`.'],
    ],
  ).causedBy(cause);
  return isFsyncFailure(cause)
    ? new MaydayError(failed.code, failed.message, failed.advice).causedBy(cause)
    : failed;
}

/** The error of a COMMIT: null where it is known that nothing was written. */
export function commitUnknown(error: unknown, path: string): CommitUnknown | null {
  const code = resultCode(error);
  if (code === null || (code & 0xff) !== IOERR || isFsyncFailure(error)) return null;
  return new CommitUnknown(
    'RECORD_OUTCOME_UNKNOWN',
    `The disk failed while ${path} was being written; the last turn may be there or not.`,
    [
      ['did', 'Keepers read the record back and write only what is missing.'],
      ['do', 'Look at the system log for disk errors; then run `mayday verify`.'],
    ],
  ).causedBy(error);
}

export function corruptRecord(path: string, error: unknown): MaydayError {
  return new MaydayError('RECORD_CORRUPT', `${path} is damaged or is not a record of Mayday`, [
    ['did', 'stopped before writing anything into it; the file is left exactly as it was found'],
    [
      'do',
      'Copy its folder first. Then put a backup of record.db back, or move the folder away to begin anew.',
    ],
    ['do', 'worktrees and checkpoints in it stay usable with git'],
  ]).causedBy(error);
}

interface LockHolder {
  readonly pid: number;
  readonly command: string;
  readonly isStopped: boolean;
}

/** The byte of the -shm file that a writer locks; it is part of the file format of SQLite's WAL. */
const WRITE_LOCK_BYTE = 120;
/** `7: POSIX  ADVISORY  WRITE 4711 fe:01:131 120 120`; the last field may be EOF. Who waits for a lock has an arrow after its number. */
const LOCK = /^\d+: POSIX +\S+ +WRITE +(\d+) +\w+:\w+:(\d+) +(\d+) +(\d+|EOF)$/gm;

/** The process that keeps others from writing a SQLite file, as Linux tells it; null where it cannot be told. */
function lockHolder(path: string): LockHolder | null {
  const inode = lookOrNull(() => statSync(`${path}-shm`).ino);
  const locks = [...(readOrNull('/proc/locks') ?? '').matchAll(LOCK)];
  const held = locks.find(
    ([, pid, file, first, last]) =>
      Number(file) === inode &&
      Number(pid) !== process.pid &&
      Number(first) <= WRITE_LOCK_BYTE &&
      (last === 'EOF' || Number(last) >= WRITE_LOCK_BYTE),
  );
  const row = readProcess(Number(held?.[1] ?? 0));
  return row && { pid: row.pid, command: row.command, isStopped: row.state === 'stopped' };
}
