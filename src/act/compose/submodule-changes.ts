/** `submoduleChanges`: finds the changes inside submodules. They belong to another repository, so a commit of this one cannot hold them. */
import type { SinkSpec } from '../../core/vocabulary/task.ts';
import { isInSubmodule, submodulesOf } from '../workspace/submodules.ts';
import type { TreeChange } from '../checkpoint/tree-changes.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** Empty where the sink makes no commit of this repository. */
export async function submoduleChanges(
  workspace: Workspace,
  sink: SinkSpec,
  changes: readonly TreeChange[],
  signal?: AbortSignal,
): Promise<readonly TreeChange[]> {
  if (sink.type === 'none' || sink.type === 'directory' || changes.length === 0) return [];
  const { commonDir, baseCommit } = workspace;
  if (commonDir === null || baseCommit === null) return [];
  const modules = await submodulesOf(commonDir, baseCommit, signal);
  return changes.filter(({ rawPath }) => isInSubmodule(rawPath, modules));
}
