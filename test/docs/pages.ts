/** Pages that people write by hand. */
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

export const ROOT = resolve(import.meta.dirname, '../..');

export function handwrittenPages(): readonly string[] {
  return ['README.md', 'CONTRIBUTING.md', ...globSync('docs/**/*.md', { cwd: ROOT })]
    .filter((path) => !path.startsWith('docs/reference/'))
    .toSorted();
}

export function readPage(path: string): string {
  return readFileSync(resolve(ROOT, path), 'utf8');
}
