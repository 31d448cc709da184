/**
 * `submodulesOf`, `submodulesIn`, `isInSubmodule`: find submodules: other repositories, of which a commit holds only the commit id.
 */
import { expectGit, guardedGit } from '../../platform/git/git.ts';
import { splitNul } from '../../platform/git/raw-path.ts';

export async function submodulesOf(
  commonDir: string,
  commit: string,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const args = ['ls-tree', '-r', '-z', commit];
  const gitEnv = { GIT_DIR: commonDir, GIT_NO_REPLACE_OBJECTS: '1' };
  const listing = await guardedGit({ args, cwd: commonDir, env: process.env, gitEnv, signal });
  return submodulesIn(expectGit(listing, 'looking for submodules').stdout);
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
