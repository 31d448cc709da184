/** `restoreIgnored`: restores the ignored files that a checkpoint saved beside its tree. Other ignored files stay as they are. */
import { expectGit, lineOf } from '../../platform/git/git.ts';
import { rawToText } from '../../platform/git/raw-path.ts';
import { shadowGit } from '../../platform/git/shadow-git.ts';
import type { Checkpoint } from './checkpoint.ts';
import { runStatePath } from '../workspace/home-layout.ts';
import { overlayTree } from './overlay-tree.ts';
import { treeChanges } from './tree-changes.ts';
import { extrasCommit } from './verify-checkpoint.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { withIndex } from './with-index.ts';

export interface IgnoredRestore {
  readonly workspace: Workspace;
  readonly runId: string;
  readonly target: Checkpoint;
  /** The checkpoint of the present files: it holds the ignored files that are overwritten. */
  readonly before: Checkpoint;
  readonly signal?: AbortSignal | undefined;
}

export async function restoreIgnored(spec: IgnoredRestore): Promise<string[]> {
  const { shadow, path: workTree } = spec.workspace;
  const { runId, signal } = spec;
  const target = await ignoredTree(shadow, spec.target, signal);
  if (target === null) return [];
  return await withIndex(runStatePath(shadow, runId), async (indexFile) => {
    const call = { workTree, indexFile, signal };
    const git = async (...args: string[]) =>
      expectGit(await shadowGit(shadow, args, call), 'restoring ignored files');
    const now = await ignoredTree(shadow, spec.before, signal);
    if (now !== null) await git('read-tree', now);
    else await git('read-tree', '--empty');
    const present = lineOf(await git('write-tree'));
    const wanted = await treeChanges(shadow, present, target, signal);
    const entries = wanted.filter(({ type }) => type !== 'deleted');
    const merged = await overlayTree({ shadow, runId, tree: present, entries, signal });
    const changes = await treeChanges(shadow, present, merged, signal);
    if (changes.length === 0) return [];
    // This notes the file times in the index. Git then refuses files that changed since the checkpoint.
    await shadowGit(shadow, ['update-index', '-q', '--refresh'], call);
    await git('read-tree', '-m', '-u', present, merged);
    return changes.map((change) => rawToText(change.rawPath));
  });
}

async function ignoredTree(
  shadow: string,
  checkpoint: Checkpoint,
  signal: AbortSignal | undefined,
): Promise<string | null> {
  const extras = await extrasCommit(shadow, checkpoint, signal);
  if (extras === null) return null;
  const found = await shadowGit(shadow, ['rev-parse', '--verify', '--quiet', `${extras}:ignored`], {
    signal,
  });
  return found.exitCode === 0 ? lineOf(found) : null;
}
