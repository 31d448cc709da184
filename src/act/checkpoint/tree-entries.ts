/** `treeEntries`, `treePaths`: list the files of a tree of a shadow repository. `folderTree`: the tree of one folder in it, or null. */
import { expectGit, lineOf } from '../../platform/git/git.ts';
import { rawToText, splitNul } from '../../platform/git/raw-path.ts';
import { shadowGit } from '../../platform/git/shadow-git.ts';

/** Trees do not change: the last two listings are kept, because checks and the delivery ask again for the base and the candidate. */
let kept: readonly { readonly shadow: string; readonly tree: string; readonly entries: readonly string[] }[] =
  [];
/** A longer list is read again rather than held. */
const MAX_KEPT = 10_000;

/** As git tells them: mode, type, object, a tab and the raw path. */
export async function treeEntries(
  shadow: string,
  tree: string,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const known = keptEntries(shadow, tree);
  if (known !== undefined) return known;
  const entries = await list(shadow, [tree], signal);
  if (entries.length <= MAX_KEPT) kept = [{ shadow, tree, entries }, ...kept.slice(0, 1)];
  return entries;
}

/** The raw paths alone. */
export async function treePaths(
  shadow: string,
  tree: string,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const known = keptEntries(shadow, tree);
  return known?.map(pathOfEntry) ?? (await list(shadow, ['--name-only', tree], signal));
}

export function pathOfEntry(entry: string): string {
  return entry.slice(entry.indexOf('\t') + 1);
}

export async function folderTree(shadow: string, tree: string, rawPath: string, signal?: AbortSignal) {
  const args = ['rev-parse', '--verify', '--quiet', `${tree}:${rawToText(rawPath)}`];
  return lineOf(await shadowGit(shadow, args, { signal })) || null;
}

function keptEntries(shadow: string, tree: string): readonly string[] | undefined {
  return kept.find((one) => one.shadow === shadow && one.tree === tree)?.entries;
}

async function list(
  shadow: string,
  args: readonly string[],
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const listing = await shadowGit(shadow, ['ls-tree', '-r', '-z', '--full-tree', ...args], { signal });
  return splitNul(expectGit(listing, 'reading a tree').stdout);
}
