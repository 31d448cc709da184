/**
 * `treeChanges`: lists the differences between two trees of a shadow repository. A rename is a deletion and a creation, because git only
 * guesses renames.
 */
import { expectGit } from '../../platform/git/git.ts';
import { splitNul } from '../../platform/git/raw-path.ts';
import { shadowGit } from '../../platform/git/shadow-git.ts';

export interface TreeChange {
  readonly type: 'created' | 'changed' | 'deleted';
  readonly rawPath: string;
  /** Octal mode and object in the new tree; for a deletion, those in the old tree. */
  readonly mode: string;
  readonly object: string;
}

export async function treeChanges(
  shadow: string,
  from: string,
  to: string,
  signal?: AbortSignal,
): Promise<TreeChange[]> {
  if (from === to) return [];
  const args = ['diff-tree', '-r', '-z', '--raw', '--no-renames', '--no-abbrev', from, to];
  const parts = splitNul(expectGit(await shadowGit(shadow, args, { signal }), 'comparing two trees').stdout);
  const changes: TreeChange[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [oldMode, newMode, oldObject, newObject, status] = (parts[at] as string).slice(1).split(' ');
    const rawPath = parts[at + 1] as string;
    if (status === 'D')
      changes.push({ type: 'deleted', rawPath, mode: oldMode as string, object: oldObject as string });
    else {
      const type = status === 'A' ? 'created' : 'changed';
      changes.push({ type, rawPath, mode: newMode as string, object: newObject as string });
    }
  }
  return changes;
}
