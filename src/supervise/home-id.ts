/**
 * `homeId`: names this host in a fleet. A host is a home of Mayday: two of them on one machine, or on machines with the same name, are
 * two hosts. The name is drawn once and kept in the home.
 */
import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lookOrNull } from '../platform/file/vanished.ts';
import { makeFolder } from '../platform/file/make-folder.ts';
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
      // Another process was first: its name counts.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    return read() ?? homeId(home);
  } catch (error) {
    throw storageError(error, path);
  } finally {
    rmSync(mine, { force: true });
  }
}
