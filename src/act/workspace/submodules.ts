/** `submodulesIn`, `isInSubmodule`: find submodules: other repositories, of which a commit holds only the commit id. */
import { splitNul } from '../../platform/git/raw-path.ts';

/** Reads the lines of `ls-tree` or `ls-files --stage`. */
export function submodulesIn(listing: Buffer): readonly string[] {
  return splitNul(listing)
    .filter((entry) => entry.startsWith('160000 '))
    .map((entry) => entry.slice(entry.indexOf('\t') + 1));
}

export function isInSubmodule(rawPath: string, submodules: readonly string[]): boolean {
  return submodules.some((module) => rawPath === module || rawPath.startsWith(`${module}/`));
}
