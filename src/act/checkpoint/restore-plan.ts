/** `planRestore`: makes the tree that a restore moves to: the checkpoint, plus newer files that may not be the agent's. */
import { expectGit, lineOf } from '../../platform/git/git.ts';
import { MaydayError } from '../../platform/mayday-error.ts';
import { rawToText } from '../../platform/git/raw-path.ts';
import { shadowGit } from '../../platform/git/shadow-git.ts';
import { checkpointCommit } from './checkpoint.ts';
import { runStatePath } from '../workspace/home-layout.ts';
import { type TreeChange, treeChanges } from './tree-changes.ts';
import type { IgnoredRestore } from './restore-ignored.ts';
import { withIndex } from './with-index.ts';

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
    const commit = await checkpointCommit(shadow, spec.runId, number);
    if (commit === null) continue;
    const changes = await treeChanges(shadow, spec.target.tree, `${commit}^{tree}`, spec.signal);
    for (const change of changes) if (change.type === 'created') recorded.add(change.rawPath);
  }
  return recorded;
}

async function withKept(spec: PlanSpec, kept: readonly TreeChange[]): Promise<string> {
  const { shadow } = spec.workspace;
  return await withIndex(runStatePath(shadow, spec.runId), async (indexFile) => {
    const call = { indexFile, signal: spec.signal };
    expectGit(await shadowGit(shadow, ['read-tree', spec.target.tree], call), 'planning the restore');
    const lines = kept.map(({ mode, object, rawPath }) => `${mode} ${object}\t${rawPath}\0`);
    const added = await shadowGit(shadow, ['update-index', '-z', '--index-info'], {
      ...call,
      input: Buffer.from(lines.join(''), 'latin1'),
    });
    expectGit(added, 'planning the restore');
    const tree = lineOf(expectGit(await shadowGit(shadow, ['write-tree'], call), 'planning the restore'));
    // A kept file replaces entries of the checkpoint where one has a file and the other a folder of the same name.
    const lost = (await treeChanges(shadow, spec.target.tree, tree, spec.signal)).find(
      (change) => change.type !== 'created',
    );
    if (lost === undefined) return tree;
    throw new MaydayError(
      'RESTORE_REFUSED',
      `${rawToText(lost.rawPath)} of the checkpoint is in the way of a newer file that no checkpoint recorded.`,
      [
        ['did', 'Nothing was changed.'],
        ['do', 'Take a checkpoint or move the newer file away, then restore again.'],
      ],
    );
  });
}
