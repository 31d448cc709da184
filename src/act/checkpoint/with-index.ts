/** `withIndex`: lets git work on an index of its own in the folder; the index and a lock that a killed git left are deleted afterwards. */
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';

export async function withIndex<T>(folder: string, use: (indexFile: string) => Promise<T>): Promise<T> {
  const indexFile = join(folder, `index-${randomUUID()}`);
  try {
    return await use(indexFile);
  } finally {
    rmSync(indexFile, { force: true });
    rmSync(`${indexFile}.lock`, { force: true });
  }
}
