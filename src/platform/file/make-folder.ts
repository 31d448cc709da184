/** `makeFolder`: makes a folder with its parents, private unless another mode is given. */
import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

const PRIVATE = 0o700;
/** What the person's own programs would use; the umask narrows it. */
export const FOR_THE_PERSON = 0o777;

/** It does not use Node's recursive mkdir, which tries for ever below a folder in which no folder can be made (`/proc`). */
export function makeFolder(path: string, mode = PRIVATE): void {
  if (statSync(path, { throwIfNoEntry: false }) !== undefined) return;
  if (dirname(path) !== path) makeFolder(dirname(path), mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
