/**
 * `targetTree`: makes a shadow tree of the current target: the snapshot of the base plus what the target changed since, converted as in
 * a checkout.
 */
import { join } from 'node:path';
import { expectGit, lineOf } from '../../platform/git/git.ts';
import { joinNul, splitNul } from '../../platform/git/raw-path.ts';
import { shadowGit } from '../../platform/git/shadow-git.ts';
import { withScratchRepository } from '../deliver/scratch-repository.ts';
import type { Workspace } from '../workspace/workspace.ts';

export async function targetTree(
  workspace: Workspace,
  commit: string,
  at: number,
  signal?: AbortSignal,
): Promise<string> {
  const { shadow, baseTree, baseCommit } = workspace;
  return await withScratchRepository({ workspace, at, signal }, async (scratch) => {
    const args = ['diff-tree', '-r', '-z', '--name-only', '--no-renames', baseCommit as string, commit];
    const paths = splitNul((await scratch.git(args)).stdout);
    await scratch.git(['read-tree', commit]);
    const present = new Set(splitNul((await scratch.git(['ls-files', '-z'])).stdout));
    const input = joinNul(paths.filter((path) => present.has(path)));
    await scratch.git(['checkout-index', '--force', '-z', '--stdin'], { input, converts: true });
    const call = { workTree: scratch.files, indexFile: join(scratch.folder, 'shadow-index'), signal };
    const doing = 'reading the current target';
    expectGit(await shadowGit(shadow, ['read-tree', baseTree], call), doing);
    const update = ['update-index', '--add', '--remove', '--replace', '-z', '--stdin'];
    expectGit(await shadowGit(shadow, update, { ...call, input: joinNul(paths) }), doing);
    return lineOf(expectGit(await shadowGit(shadow, ['write-tree'], call), doing));
  });
}
