/**
 * `mergeShadowTrees`: merges three trees of the shadow repository. It uses no merge driver and no configuration of the person.
 * `mergedTree`, `MERGE_TREES`: the same of two commits in any repository.
 */
import { expectGit, lineOf } from '../../platform/git/git.ts';
import type { GitResult } from '../../platform/git/start-git.ts';
import { shadowGit } from '../../platform/git/shadow-git.ts';

export interface MergedTree {
  /** The merged tree; files with conflicts hold git's markers. */
  readonly tree: string;
  readonly conflicts: readonly string[];
}

const SHOWN_CONFLICTS = 50;
/** Two commits follow. */
export const MERGE_TREES = ['merge-tree', '--write-tree', '--name-only', '--no-messages', '-z'];

export async function mergeShadowTrees(spec: {
  readonly shadow: string;
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
  readonly signal?: AbortSignal | undefined;
}): Promise<MergedTree> {
  const { shadow, signal } = spec;
  const commit = async (tree: string, ...parents: string[]) => {
    const args = ['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent]), '-m', 'merge'];
    return lineOf(expectGit(await shadowGit(shadow, args, { signal }), 'preparing a merge'));
  };
  const root = await commit(spec.base);
  const ours = await commit(spec.ours, root);
  const theirs = await commit(spec.theirs, root);
  return mergedTree(await shadowGit(shadow, [...MERGE_TREES, ours, theirs], { signal }), 'merging');
}

/** Throws where git failed without a conflict: unrelated histories, a missing object. */
export function mergedTree(merged: GitResult, doing: string): MergedTree {
  if (merged.exitCode !== 0 && merged.exitCode !== 1) expectGit(merged, doing);
  const [tree = '', ...paths] = merged.stdout.toString('utf8').split('\0');
  const conflicts = merged.exitCode === 0 ? [] : [...new Set(paths.filter((path) => path !== ''))];
  return { tree: tree.trim(), conflicts: conflicts.slice(0, SHOWN_CONFLICTS) };
}
