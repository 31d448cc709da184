/**
 * `treeChanges`: lists the differences between two trees of a shadow repository. A rename is a deletion and a creation, because git only
 * guesses renames. Trees do not change: the last comparison is kept, because checks, the gate and the delivery ask for the same one.
 * `renamedFiles`: guesses them all the same, and lists what is new under its old name.
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
  const isKept = last.shadow === shadow && last.from === from && last.to === to;
  const isTurned = last.shadow === shadow && last.from === to && last.to === from;
  const pairs = isKept || isTurned ? last.pairs : await compare(shadow, from, to, signal);
  if (!isKept && !isTurned && pairs.length <= MAX_KEPT) last = { shadow, from, to, pairs };
  return pairs.map(({ rawPath, ...sides }) => {
    const [was, is] = isTurned ? [sides.is, sides.was] : [sides.was, sides.is];
    if (is === null) return { type: 'deleted', rawPath, ...(was as Side) };
    return { type: was === null ? 'created' : 'changed', rawPath, ...is };
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

type Side = Pick<TreeChange, 'mode' | 'object'>;

interface Pair {
  readonly rawPath: string;
  /** Null: the tree does not have the file. */
  readonly was: Side | null;
  readonly is: Side | null;
}

/** A longer list is read again rather than held. */
const MAX_KEPT = 10_000;
let last: { shadow: string; from: string; to: string; pairs: readonly Pair[] } = {
  shadow: '',
  from: '',
  to: '',
  pairs: [],
};

async function compare(
  shadow: string,
  from: string,
  to: string,
  signal: AbortSignal | undefined,
): Promise<readonly Pair[]> {
  const args = ['diff-tree', '-r', '-z', '--raw', '--no-renames', '--no-abbrev', from, to];
  const parts = splitNul(expectGit(await shadowGit(shadow, args, { signal }), 'comparing two trees').stdout);
  return parts.flatMap((facts, at) => {
    if (at % 2 === 1) return [];
    const [oldMode = '', mode = '', oldObject = '', object = '', status] = facts.slice(1).split(' ');
    const was = status === 'A' ? null : { mode: oldMode, object: oldObject };
    return [{ rawPath: parts[at + 1] ?? '', was, is: status === 'D' ? null : { mode, object } }];
  });
}
