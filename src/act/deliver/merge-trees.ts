/** `mergeTrees`: merges two commits without any checkout, configuration or merge driver of the repository. */
import type { ScratchRepository } from './scratch-repository.ts';

export interface MergedTrees {
  /** The merged tree; files with conflicts hold git's markers. */
  readonly tree: string;
  /** Paths that cannot be merged. */
  readonly conflicts: readonly string[];
}

const SHOWN_CONFLICTS = 50;

export async function mergeTrees(
  scratch: ScratchRepository,
  ours: string,
  theirs: string,
): Promise<MergedTrees> {
  const args = ['merge-tree', '--write-tree', '--name-only', '--no-messages', '-z', ours, theirs];
  const merged = await scratch.tryGit(args);
  const [tree = '', ...paths] = merged.stdout.toString('utf8').split('\0');
  if (merged.exitCode === 0) return { tree: tree.trim(), conflicts: [] };
  if (merged.exitCode === 1) {
    const conflicts = [...new Set(paths.filter((path) => path !== ''))].slice(0, SHOWN_CONFLICTS);
    return { tree: tree.trim(), conflicts };
  }
  // Git failed without a conflict (unrelated histories, a missing object): this call throws an error with git's message.
  await scratch.git(args);
  return { tree: '', conflicts: [] };
}
