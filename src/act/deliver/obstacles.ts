/**
 * `obstaclesIn`: finds what is in the place of a file to write and is no file: a folder with other files, a link, a socket. Writing
 * would delete it, so it is named for the person and left there.
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

/** Names a parent of the path that is no folder and is not deleted by the change. */
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
