/** `treeEntries`, `treePaths`: list the files of a tree of a shadow repository. `folderTree`: the tree of one folder in it, or null. */
import { expectGit, lineOf } from '../../platform/git/git.ts';
import { rawToText, splitNul } from '../../platform/git/raw-path.ts';
import { shadowGit } from '../../platform/git/shadow-git.ts';

/** As git tells them: mode, type, object, a tab and the raw path. */
export async function treeEntries(
  shadow: string,
  tree: string,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  return await list(shadow, [tree], signal);
}

/** The raw paths alone. */
export async function treePaths(
  shadow: string,
  tree: string,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  return await list(shadow, ['--name-only', tree], signal);
}

export function pathOfEntry(entry: string): string {
  return entry.slice(entry.indexOf('\t') + 1);
}

export async function folderTree(shadow: string, tree: string, rawPath: string, signal?: AbortSignal) {
  const args = ['rev-parse', '--verify', '--quiet', `${tree}:${rawToText(rawPath)}`];
  return lineOf(await shadowGit(shadow, args, { signal })) || null;
}

async function list(
  shadow: string,
  args: readonly string[],
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const listing = await shadowGit(shadow, ['ls-tree', '-r', '-z', '--full-tree', ...args], { signal });
  return splitNul(expectGit(listing, 'reading a tree').stdout);
}
