/** Paths of a tree that changed outside the scope: git facts, whatever the agent says it edited. */
import { matchesAny } from '../core/text/glob.ts';
import type { RunState } from '../core/state/run-state.ts';
import { rawToText } from '../platform/raw-path.ts';
import { treeChanges } from './workspace/tree-changes.ts';
import { openWorkspace } from './workspace/workspace.ts';

export async function outsideScope(
  home: string,
  { runId, scope, explore }: RunState,
  tree: string,
  signal?: AbortSignal,
): Promise<string[]> {
  // While the agent only looks, nothing may change.
  const allowed = explore === 'looking' ? [] : scope.allowed;
  if (allowed.includes('**')) return [];
  const { shadow, baseTree } = await openWorkspace({ home, runId });
  const changes = await treeChanges(shadow, baseTree, tree, signal);
  return changes.map(({ rawPath }) => rawToText(rawPath)).filter((path) => !matchesAny(path, allowed));
}
