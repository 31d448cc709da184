/** `repositoryAround`: the nearest folder, this one or above it, that holds a `.git`; null: none. It starts no git. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

export function repositoryAround(folder: string): string | null {
  if (existsSync(join(folder, '.git'))) return folder;
  return dirname(folder) === folder ? null : repositoryAround(dirname(folder));
}
