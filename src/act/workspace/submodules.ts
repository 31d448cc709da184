/**
 * `submodulesOf`, `submodulesIn`, `isInSubmodule`: find submodules: other repositories, of which a commit holds only the commit id.
 */
import { expectGit, guardedGit } from '../../platform/git/git.ts';
import { splitNul } from '../../platform/git/raw-path.ts';

/** A commit does not change: the last answer is kept, because the gate and the delivery ask for the same one. */
let last: { commonDir: string; commit: string; found: readonly string[] } | null = null;

export async function submodulesOf(
  commonDir: string,
  commit: string,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  if (last?.commonDir === commonDir && last.commit === commit) return last.found;
  const args = ['ls-tree', '-r', '-z', commit];
  const gitEnv = { GIT_DIR: commonDir, GIT_NO_REPLACE_OBJECTS: '1' };
  const listing = await guardedGit({ args, cwd: commonDir, env: process.env, gitEnv, signal });
  const found = submodulesIn(expectGit(listing, 'looking for submodules').stdout);
  last = { commonDir, commit, found };
  return found;
}

/** Reads the lines of `ls-tree` or `ls-files --stage`. */
export function submodulesIn(listing: Buffer): readonly string[] {
  return splitNul(listing)
    .filter((entry) => entry.startsWith('160000 '))
    .map((entry) => entry.slice(entry.indexOf('\t') + 1));
}

export function isInSubmodule(rawPath: string, submodules: readonly string[]): boolean {
  return submodules.some((module) => rawPath === module || rawPath.startsWith(`${module}/`));
}
