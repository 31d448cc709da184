/** `planRestore`: makes the tree that a restore moves to: the checkpoint, plus newer files that may not be the agent's. */
import { MaydayError } from '../../platform/mayday-error.ts';
import { rawToText } from '../../platform/git/raw-path.ts';
import { checkpointCommit } from './checkpoint.ts';
import { type TreeChange, treeChanges } from './tree-changes.ts';
import type { IgnoredRestore } from './restore-ignored.ts';
import { overlayTree } from './overlay-tree.ts';

export interface RestorePlan {
  readonly tree: string;
  /** The changes from the present files to `tree`. */
  readonly changes: readonly TreeChange[];
  readonly kept: readonly string[];
}

interface PlanSpec extends IgnoredRestore {
  /** Numbers of the checkpoints after the target and before `before`. */
  readonly later: readonly number[];
}

export async function planRestore(spec: PlanSpec): Promise<RestorePlan> {
  const { shadow } = spec.workspace;
  const newer = (await treeChanges(shadow, spec.target.tree, spec.before.tree, spec.signal)).filter(
    (change) => change.type === 'created',
  );
  const recorded = await recordedAfter(spec);
  const kept = newer.filter((change) => !recorded.has(change.rawPath));
  const tree = kept.length === 0 ? spec.target.tree : await withKept(spec, kept);
  return {
    tree,
    changes: await treeChanges(shadow, spec.before.tree, tree, spec.signal),
    kept: kept.map((change) => change.rawPath),
  };
}

async function recordedAfter(spec: PlanSpec): Promise<Set<string>> {
  const { shadow } = spec.workspace;
  const recorded = new Set<string>();
  for (const number of spec.later) {
    const commit = checkpointCommit(shadow, spec.runId, number);
    if (commit === null) continue;
    const changes = await treeChanges(shadow, spec.target.tree, `${commit}^{tree}`, spec.signal);
    for (const change of changes) if (change.type === 'created') recorded.add(change.rawPath);
  }
  return recorded;
}

async function withKept(spec: PlanSpec, kept: readonly TreeChange[]): Promise<string> {
  const { shadow } = spec.workspace;
  const { runId, signal, target } = spec;
  const tree = await overlayTree({ shadow, runId, tree: target.tree, entries: kept, signal });
  // A kept file replaces entries of the checkpoint where one has a file and the other a folder of the same name.
  const lost = (await treeChanges(shadow, target.tree, tree, signal)).find(({ type }) => type !== 'created');
  if (lost === undefined) return tree;
  throw new MaydayError(
    'RESTORE_REFUSED',
    `${rawToText(lost.rawPath)} of the checkpoint is in the way of a newer file that no checkpoint recorded`,
    [
      ['did', 'nothing was changed'],
      ['do', 'take a checkpoint or move the newer file away, then restore again'],
    ],
  );
}
