/**
 * What stands where a file must be written and is more than a file: a folder with things in it, a link, a socket. It is
 * somebody's own; writing would take it away whole, so it is named and left to them.
 */
import { lstat } from 'node:fs/promises';
import { rawToText, rawUnder } from '../../platform/git/raw-path.ts';
import { filesUnder } from '../checkpoint/list-under.ts';
import type { TreeChange } from '../checkpoint/tree-changes.ts';

export async function obstaclesIn(root: string, changes: readonly TreeChange[]): Promise<readonly string[]> {
  const goes = new Set(changes.filter(({ type }) => type === 'deleted').map(({ rawPath }) => rawPath));
  const found = new Set<string>();
  for (const { type, rawPath } of changes) {
    if (type === 'deleted') continue;
    const onTheWay = await notAFolder(root, rawPath, goes);
    if (onTheWay !== null) found.add(onTheWay);
    else if (await holdsMore(root, rawPath, goes)) found.add(`${rawToText(rawPath)} (a folder)`);
  }
  return [...found];
}

/** Something above the path that is no folder and does not go with the change. */
async function notAFolder(root: string, rawPath: string, goes: ReadonlySet<string>): Promise<string | null> {
  const segments = rawPath.split('/');
  for (let depth = 1; depth < segments.length; depth += 1) {
    const above = segments.slice(0, depth).join('/');
    const facts = await lstat(rawUnder(root, above)).catch(() => null);
    if (facts === null || goes.has(above)) return null;
    if (!facts.isDirectory())
      return `${rawToText(above)} (a ${facts.isSymbolicLink() ? 'link' : 'file'}, not a folder)`;
  }
  return null;
}

async function holdsMore(root: string, rawPath: string, goes: ReadonlySet<string>): Promise<boolean> {
  const facts = await lstat(rawUnder(root, rawPath)).catch(() => null);
  if (facts === null || facts.isFile() || facts.isSymbolicLink()) return false;
  if (!facts.isDirectory()) return true;
  return (await filesUnder(root, rawPath)).some((path) => !goes.has(path));
}
