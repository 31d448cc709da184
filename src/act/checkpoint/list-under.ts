/** `filesUnder`, `leadsThroughLink`: list the files at or below a raw path without following links. */
import { lstat, readdir } from 'node:fs/promises';
import { rawUnder } from '../../platform/git/raw-path.ts';

/** A folder with more files than this is a cache; the list ends here. */
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

/** True: a parent of the path is a link, so the path may be outside the root. */
export async function leadsThroughLink(root: string, rawPath: string): Promise<boolean> {
  const segments = rawPath.split('/');
  for (let depth = 1; depth < segments.length; depth += 1) {
    const facts = await lstat(rawUnder(root, segments.slice(0, depth).join('/'))).catch(() => null);
    if (facts?.isSymbolicLink()) return true;
  }
  return false;
}
