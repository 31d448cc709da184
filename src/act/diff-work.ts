/**
 * `diffWork`: shows the work so far as a patch; `diffTrees`: the work between two checkpoints. `diffWork` reads the workspace as it is
 * now; where the workspace is gone, the tree that was saved last. `compareTrees`: the same of two trees in any shadow repository.
 */
import { join } from 'node:path';
import { candidateTree, savedTree } from '../core/state/last-tree.ts';
import type { RunState } from '../core/state/run-state.ts';
import { isFolder } from '../platform/file/file-kind.ts';
import { copyGitIndex } from '../platform/git/copy-git-index.ts';
import { expectGit } from '../platform/git/git.ts';
import { shadowGit } from '../platform/git/shadow-git.ts';
import { runStatePath } from './workspace/home-layout.ts';
import { snapshotTree } from './checkpoint/snapshot-tree.ts';
import { MAX_FILE_BYTES } from './checkpoint/take-checkpoint.ts';
import { openWorkspace, type Workspace } from './workspace/workspace.ts';
import { withIndex } from './checkpoint/with-index.ts';

export async function diffWork(home: string, state: RunState, stat: boolean): Promise<string> {
  const workspace = await openWorkspace({ home, runId: state.runId });
  const { shadow, baseTree } = workspace;
  const saved = state.delivered === null ? savedTree(state) : candidateTree(state);
  const tree = (state.life.type === 'ended' ? null : await treeNow(workspace)) ?? saved;
  return await compareTrees(shadow, stat, baseTree, tree);
}

/** A patch that git can apply, or its statistics. */
export function compareTrees(shadow: string, stat: boolean, from: string, to: string): Promise<string> {
  return comparison(shadow, [...(stat ? ['--stat'] : ['--patch', '--binary']), from, to]);
}

/** The work between two trees that were saved, such as those of two checkpoints. Binary files are only named. */
export async function diffTrees(home: string, runId: string, from: string, to: string): Promise<string> {
  const { shadow } = await openWorkspace({ home, runId });
  return await comparison(shadow, ['--patch', from, to]);
}

async function comparison(shadow: Workspace['shadow'], args: readonly string[]): Promise<string> {
  const compared = await shadowGit(shadow, ['diff-tree', '-r', '--no-ext-diff', '--no-textconv', ...args]);
  return expectGit(compared, 'comparing two trees of the work').stdout.toString();
}

/** Null: the workspace is gone or cannot be read. It works on a copy of the index, because the keeper uses the original. */
async function treeNow({ path, shadow, runId }: Workspace): Promise<string | null> {
  if (!isFolder(path)) return null;
  const state = runStatePath(shadow, runId);
  return await withIndex(state, async (indexFile) => {
    await copyGitIndex(join(state, 'index'), indexFile).catch(() => undefined);
    const snapshot = await snapshotTree({
      shadow,
      workTree: path,
      indexFile,
      excludesFile: join(state, 'exclude'),
      maxFileBytes: MAX_FILE_BYTES,
    });
    return snapshot.type === 'taken' ? snapshot.tree : null;
  });
}
