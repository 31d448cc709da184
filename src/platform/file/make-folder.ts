/** `makeFolder`: makes a private folder with its parents. */
import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/** It does not use Node's recursive mkdir, which tries for ever below a folder in which no folder can be made (`/proc`). */
export function makeFolder(path: string): void {
  if (existsSync(path)) return;
  if (dirname(path) !== path) makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
