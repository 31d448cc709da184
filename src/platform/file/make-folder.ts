import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * A private folder with its parents. Not by Node's recursive mkdir: below a place that takes no folders at all (`/proc`) that
 * one tries for ever.
 */
export function makeFolder(path: string): void {
  if (existsSync(path)) return;
  if (dirname(path) !== path) makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
