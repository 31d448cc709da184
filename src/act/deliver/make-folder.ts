/**
 * `makeFolder`: makes the missing folders of a path one by one. The recursive mkdir of Node never returns on file systems that forbid it
 * (/proc).
 */
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

export async function makeFolder(path: string): Promise<void> {
  const missing: string[] = [];
  for (let at = path; !(await exists(at)); at = dirname(at)) missing.unshift(at);
  for (const folder of missing)
    await mkdir(folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
}

async function exists(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return dirname(path) === path;
      throw error;
    },
  );
}
