/** `lockHolder`: the process that keeps others from writing a SQLite file, as Linux tells it; null where it cannot be told. */
import { statSync } from 'node:fs';
import { lookOrNull } from '../../platform/file/vanished.ts';
import { readOrNull, readProcess } from '../../platform/process/proc-table.ts';

export interface LockHolder {
  readonly pid: number;
  readonly command: string;
  readonly isStopped: boolean;
}

/** The byte of the -shm file that a writer locks; it is part of the file format of SQLite's WAL. */
const WRITE_LOCK_BYTE = 120;
/** `7: POSIX  ADVISORY  WRITE 4711 fe:01:131 120 120`; the last field may be EOF. Who waits for a lock has an arrow after its number. */
const LOCK = /^\d+: POSIX +\S+ +WRITE +(\d+) +\w+:\w+:(\d+) +(\d+) +(\d+|EOF)$/gm;

export function lockHolder(path: string): LockHolder | null {
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
