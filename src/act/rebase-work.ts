/**
 * `rebaseWork`: the act that moves the work onto the current target. Changes of both sides are merged; conflicts get markers for the
 * agent. The plan is written to disk before the first file changes, so that a call after a crash finishes it instead of merging twice.
 */
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { staysInside } from '../platform/file/copy-into.ts';
import { writeFileDurably } from '../platform/file/durable-write.ts';
import { readState } from '../platform/file/plain-file.ts';
import { expectGit } from '../platform/git/git.ts';
import { MaydayError } from '../platform/mayday-error.ts';
import { joinNul, rawUnder } from '../platform/git/raw-path.ts';
import { shadowGit } from '../platform/git/shadow-git.ts';
import type { Act, ActContext } from './act.ts';
import { checkpointFact } from './checkpoint-fact.ts';
import { findTarget } from './compose/find-target.ts';
import { mergeShadowTrees } from './compose/merge-shadow-trees.ts';
import { targetTree } from './compose/target-tree.ts';
import { runDir } from './run-files.ts';
import { saveWork } from './save-work.ts';
import { runStatePath } from './workspace/home-layout.ts';
import { treeChanges } from './checkpoint/tree-changes.ts';
import { openWorkspace, recordWorkspace, type Workspace } from './workspace/workspace.ts';
import { withIndex } from './checkpoint/with-index.ts';

const Plan = z.object({
  from: z.string(),
  merged: z.string(),
  baseCommit: z.string(),
  baseTree: z.string(),
  conflicts: z.array(z.string()),
});
type Plan = z.infer<typeof Plan>;

export const rebaseWork: Act<'rebase_work'> = async (context, { tree }) => {
  const { home, state, signal, now } = context;
  const workspace = await openWorkspace({ home, runId: state.runId });
  const file = join(runDir(home, state.runId), 'rebase.json');
  const begun = readState(Plan, file);
  const plan = begun?.from === tree ? begun : await makePlan(context, workspace, tree);
  await writeFileDurably(file, JSON.stringify(plan));
  await writeTree(workspace, plan, signal);
  const { checkpoint } = await saveWork({ home, state, reason: 'moved onto the current target', signal });
  const { baseCommit, baseTree, conflicts } = plan;
  await recordWorkspace(home, { ...workspace, baseCommit, baseTree });
  return [
    {
      type: 'work_rebased',
      at: now(),
      baseCommit,
      baseTree,
      conflicts,
      checkpoint: checkpointFact(checkpoint),
    },
  ];
};

async function makePlan(
  { state, signal, now }: ActContext,
  workspace: Workspace,
  from: string,
): Promise<Plan> {
  const target = await findTarget(workspace, state.sink, signal);
  if (target === null)
    throw new MaydayError('NO_TARGET', 'there is no branch that the work could be moved onto', [
      ['do', 'choose a patch file, or check the branch out again and retry'],
    ]);
  const baseTree = await targetTree(workspace, target.commit, now(), signal);
  const { shadow } = workspace;
  const merged = await mergeShadowTrees({
    shadow,
    base: workspace.baseTree,
    ours: baseTree,
    theirs: from,
    signal,
  });
  const conflicts = [...merged.conflicts];
  return { from, merged: merged.tree, baseCommit: target.commit, baseTree, conflicts };
}

/** Writes only the files that the merge changed. Git writes them, because it does not follow links that an agent put there. */
async function writeTree(workspace: Workspace, { from, merged }: Plan, signal: AbortSignal): Promise<void> {
  const { shadow, path, runId } = workspace;
  const changes = await treeChanges(shadow, from, merged, signal);
  const doing = 'moving the work onto the target';
  const present = changes.filter(({ type }) => type !== 'deleted').map(({ rawPath }) => rawPath);
  const written = ['checkout-index', '--force', '-z', '--stdin'];
  await withIndex(runStatePath(shadow, runId), async (indexFile) => {
    const call = { workTree: path, indexFile, signal };
    expectGit(await shadowGit(shadow, ['read-tree', merged], call), doing);
    expectGit(await shadowGit(shadow, written, { ...call, input: joinNul(present) }), doing);
  });
  for (const { type, rawPath } of changes) {
    if (type !== 'deleted') continue;
    const file = rawUnder(path, rawPath);
    if (await staysInside(path, dirname(file.toString('utf8')))) await rm(file, { force: true });
  }
}
