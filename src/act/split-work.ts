/** `splitWork`: the act that makes a tree of the work inside the scope and this repository. The rest stays in its checkpoint. */
import { matchesAny } from '../core/text/glob.ts';
import { rawToText } from '../platform/git/raw-path.ts';
import type { Act } from './act.ts';
import { overlayTree } from './checkpoint/overlay-tree.ts';
import { submoduleChanges } from './compose/submodule-changes.ts';
import { treeChanges } from './checkpoint/tree-changes.ts';
import { openWorkspace } from './workspace/workspace.ts';

export const splitWork: Act<'split_work'> = async ({ home, state, signal, now }, { tree, allowed }) => {
  const { runId } = state;
  const workspace = await openWorkspace({ home, runId });
  const { shadow, baseTree } = workspace;
  const changes = await treeChanges(shadow, baseTree, tree, signal);
  const { foreign } = await submoduleChanges(workspace, tree, { sink: state.sink, signal });
  const inside = changes.filter(
    (change) => matchesAny(rawToText(change.rawPath), allowed) && !foreign.has(change.rawPath),
  );
  const left = changes.filter((change) => !inside.includes(change)).map(({ rawPath }) => rawToText(rawPath));
  const part = await overlayTree({ shadow, runId, tree: baseTree, entries: inside, signal });
  return [{ type: 'work_split', at: now(), from: tree, tree: part, left }];
};
