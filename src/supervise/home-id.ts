/**
 * `homeId`: the id of this host in a fleet. A host is a home of Mayday: two of them on one machine, or on machines with the same name, are
 * two hosts. The id is drawn once and kept in the home.
 */
import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lookOrNull } from '../platform/file/vanished.ts';
import { makeFolder } from '../platform/file/make-folder.ts';
import { MaydayError } from '../platform/mayday-error.ts';
import { storageError } from '../platform/storage-error.ts';

export function homeId(home: string): string {
  const path = join(home, 'host-id');
  const read = () => lookOrNull(() => readFileSync(path, 'utf8'))?.trim() || null;
  const known = read();
  if (known !== null) return known;
  const mine = `${path}.${process.pid}`;
  try {
    makeFolder(home);
    writeFileSync(mine, `${randomUUID()}\n`, { mode: 0o600, flush: true });
    try {
      linkSync(mine, path);
    } catch (error) {
      // Another process was first: its id counts.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const id = read();
    if (id !== null) return id;
  } catch (error) {
    throw storageError(error, path);
  } finally {
    rmSync(mine, { force: true });
  }
  throw new MaydayError('HOST_ID_EMPTY', `the file that holds the id of this host is empty: ${path}`, [
    ['do', `rm ${path}    a new id is drawn; runs that the old one held go on once their leases end`],
  ]);
}
