/** `otherRuns`, `deliveredCommits`: read what other runs of a repository have changed so far, and what its runs delivered. */
import type { OtherRun } from '../act/act.ts';
import { lastCheckpoint } from '../core/state/last-tree.ts';
import type { RunState } from '../core/state/run-state.ts';
import type { RunJson } from '../core/view/run-json.ts';
import type { RunRecord } from '../record/contract.ts';

/** More runs than work in one repository at once. */
const MAX_RUNS = 50;

/** Only the latest runs count: an older delivery is not new to a run that lives now. */
export async function deliveredCommits(
  record: RunRecord,
  { repository }: RunState,
): Promise<readonly string[]> {
  const rows = await record.rows({ repository, limit: MAX_RUNS });
  return rows.flatMap(({ view }) => (JSON.parse(view) as RunJson).delivered?.commit ?? []);
}

export async function otherRuns(
  record: RunRecord,
  { runId, repository }: RunState,
): Promise<readonly OtherRun[]> {
  const rows = await record.rows({ ended: false, repository, limit: MAX_RUNS });
  return rows
    .filter((row) => row.runId !== runId)
    .flatMap(({ runId: other, createdAt, view }) => {
      const { task, checkpoints, partial_work } = JSON.parse(view) as RunJson;
      const tree = lastCheckpoint({ checkpoints })?.tree;
      if (tree === undefined) return [];
      const changed = [...partial_work.created, ...partial_work.changed, ...partial_work.deleted];
      return [{ runId: other, task, createdAt, changed, tree }];
    });
}
