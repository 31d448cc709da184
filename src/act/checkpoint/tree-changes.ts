/**
 * `treeChanges`: lists the differences between two trees of a shadow repository. A rename is a deletion and a creation, because git only
 * guesses renames. `renamedFiles`: guesses them all the same, and lists what is new under its old name.
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
  return parts.flatMap((facts, at): TreeChange[] => {
    if (at % 2 === 1) return [];
    const rawPath = parts[at + 1] ?? '';
    const [oldMode = '', mode = '', oldObject = '', object = '', status] = facts.slice(1).split(' ');
    if (status === 'D') return [{ type: 'deleted', rawPath, mode: oldMode, object: oldObject }];
    return [{ type: status === 'A' ? 'created' : 'changed', rawPath, mode, object }];
  });
}

export async function renamedFiles(
  shadow: string,
  from: string,
  to: string,
  signal?: AbortSignal,
): Promise<TreeChange[]> {
  const args = [
    'diff-tree',
    '-r',
    '-z',
    '--raw',
    '--find-renames',
    '--diff-filter=R',
    '--no-abbrev',
    from,
    to,
  ];
  const parts = splitNul(expectGit(await shadowGit(shadow, args, { signal }), 'looking for renames').stdout);
  return parts.flatMap((facts, at) => {
    if (at % 3 !== 0) return [];
    const [, mode = '', , object = ''] = facts.slice(1).split(' ');
    return [{ type: 'created', rawPath: parts[at + 1] ?? '', mode, object }];
  });
}
