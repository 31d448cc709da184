/** Runs in flight beside this one in the same repository: what they changed so far, from the read model. */
import type { OtherRun } from '../act/act.ts';
import type { RunState } from '../core/state/run-state.ts';
import type { RunJson } from '../core/view/run-json.ts';
import type { RunRecord } from '../record/contract.ts';

/** More runs at once in one repository than anybody watches. */
const MAX_RUNS = 50;

export async function otherRuns(
  record: RunRecord,
  { runId, repository }: RunState,
): Promise<readonly OtherRun[]> {
  const rows = await record.rows({ ended: false, repository, limit: MAX_RUNS });
  return rows
    .filter((row) => row.runId !== runId)
    .flatMap(({ runId: other, createdAt, view }) => {
      const { task, checkpoints, partial_work } = JSON.parse(view) as RunJson;
      const tree = checkpoints.findLast(({ state }) => state !== 'failed')?.tree;
      if (tree === undefined) return [];
      const changed = [...partial_work.created, ...partial_work.changed, ...partial_work.deleted];
      return [{ runId: other, task, createdAt, changed, tree }];
    });
}
