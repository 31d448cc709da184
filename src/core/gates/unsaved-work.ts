/** `unsavedFiles`, `unsavedBlockers`: the files of the work that no checkpoint holds and a delivery would lack, and their blockers. */
import { blocker } from '../vocabulary/blockers/blocker.ts';
import type { Blocker } from '../vocabulary/blockers/blocker-rule.ts';
import { missingWords } from '../vocabulary/blockers/build.ts';
import type { RunState } from '../state/run-state.ts';
import { ownBranch } from '../vocabulary/task.ts';
import type { UnsavedFile } from '../vocabulary/work.ts';
import { savedTree } from '../state/last-tree.ts';

export function unsavedFiles(state: RunState): readonly UnsavedFile[] {
  return standing(state)?.missing.filter(({ beside }) => beside !== true) ?? [];
}

export function unsavedBlockers(state: RunState): readonly Blocker[] {
  if (staysInPlace(state)) return [];
  const { attempts, checkpoints } = state;
  const problem = attempts.at(-1)?.examination?.unsaved;
  if (problem !== undefined)
    return [
      blocker('work_not_saved', {
        source: 'attempt',
        attempt: attempts.length,
        checkpoint: checkpoints.at(-1)?.number ?? 0,
        problem,
      }),
    ];
  if (unsavedFiles(state).length === 0) return [];
  return [blocker('work_not_saved', { source: 'checkpoint', ...missingFrom(state) })];
}

/** `big.bin, core.1 and 3 more`; empty when nothing is missing. */
export function unsavedWords(state: RunState): string {
  return missingWords(missingFrom(state));
}

function missingFrom(state: RunState) {
  const files = unsavedFiles(state).map(({ path, why }) => ({ path, why }));
  return { files, more: standing(state)?.moreMissing ?? 0 };
}

export function isDeliveredInPart(state: RunState): boolean {
  return !staysInPlace(state) && unsavedFiles(state).length > 0;
}

function standing(state: RunState) {
  const tree = savedTree(state);
  return state.checkpoints.findLast(
    (checkpoint) => checkpoint.state !== 'failed' && checkpoint.tree === tree,
  );
}

/** Whether the work is delivered by leaving it where it is: then no file can be missing. */
function staysInPlace({ sink, workspace, runId }: RunState): boolean {
  if (sink.type === 'none') return true;
  return workspace?.kind !== 'worktree' && sink.type === 'branch' && sink.name === ownBranch(runId);
}
