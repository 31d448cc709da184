/**
 * `deliverNone`: the sink `none`. The work stays in the workspace, and the person is told where. A workspace that differs from the
 * checked tree blocks the delivery.
 */
import { rawToText } from '../../platform/git/raw-path.ts';
import { snapshotWorkspace } from '../checkpoint/take-checkpoint.ts';
import { treeChanges } from '../checkpoint/tree-changes.ts';
import { openWorkspace } from '../workspace/workspace.ts';
import { blockedDelivery, type DeliveryResult, type DeliverySpec } from './delivery.ts';

export async function deliverNone(spec: DeliverySpec): Promise<DeliveryResult> {
  const workspace = await openWorkspace(spec);
  const { shadow, baseTree, path } = workspace;
  const seen = await snapshotWorkspace(workspace, spec);
  if (seen.type === 'taken' && seen.tree !== spec.tree) {
    const moved = await treeChanges(shadow, spec.tree, seen.tree, spec.signal);
    return blockedDelivery('sink_drifted', [
      `The workspace ${path} is no longer what was checked.`,
      ...moved.map((change) => `${rawToText(change.rawPath)} was ${change.type} since`),
    ]);
  }
  const changes = await treeChanges(shadow, baseTree, spec.tree, spec.signal);
  return {
    type: 'delivered',
    ref: path,
    commit: null,
    files: changes.map((change) => rawToText(change.rawPath)),
    warnings: [],
  };
}
