/** The sink `none`: the work stays in the workspace, and the person is told where. */
import { rawToText } from '../../platform/raw-path.ts';
import { treeChanges } from '../workspace/tree-changes.ts';
import { openWorkspace } from '../workspace/workspace.ts';
import type { Delivery } from './delivery.ts';

export async function deliverNone(spec: {
  readonly home: string;
  readonly runId: string;
  readonly tree: string;
  readonly signal?: AbortSignal | undefined;
}): Promise<Delivery> {
  const { shadow, baseTree, path } = await openWorkspace(spec);
  const changes = await treeChanges(shadow, baseTree, spec.tree, spec.signal);
  return {
    type: 'delivered',
    ref: path,
    commit: null,
    files: changes.map((change) => rawToText(change.rawPath)),
    warnings: [],
  };
}
