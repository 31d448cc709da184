/** Files at or below a path, by names as bytes; links are not followed. */
import { lstat, readdir } from 'node:fs/promises';
import { rawUnder } from '../../platform/git/raw-path.ts';

/** More ignored files than this in the way of a restore are a cache, and a reason to refuse. */
const MAX_FILES = 20_000;

export async function filesUnder(root: string, rawPath: string): Promise<string[]> {
  const found: string[] = [];
  const visit = async (path: string): Promise<void> => {
    if (found.length >= MAX_FILES) return;
    const facts = await lstat(rawUnder(root, path)).catch(() => null);
    if (facts === null) return;
    if (!facts.isDirectory()) {
      found.push(path);
      return;
    }
    for (const name of await readdir(rawUnder(root, path), { encoding: 'buffer' }))
      await visit(`${path}/${name.toString('latin1')}`);
  };
  if (!(await leadsThroughLink(root, rawPath))) await visit(rawPath);
  return found;
}

/** Behind a link lies another place. */
export async function leadsThroughLink(root: string, rawPath: string): Promise<boolean> {
  const segments = rawPath.split('/');
  for (let depth = 1; depth < segments.length; depth += 1) {
    const facts = await lstat(rawUnder(root, segments.slice(0, depth).join('/'))).catch(() => null);
    if (facts?.isSymbolicLink()) return true;
  }
  return false;
}
