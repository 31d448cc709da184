/** `removeRun`: hides an ended run from the lists and frees its disk space. Story, evidence and checkpoints stay. */
import { reclaimRun } from '../../act/workspace/reclaim-run.ts';
import { assertPerson } from '../../supervise/mail/assert-person.ts';
import { loadState } from '../../supervise/load-state.ts';
import type { Caller } from '../caller.ts';
import { speak } from '../speak.ts';
import type { Refused } from '../refusal.ts';

export type RemoveResult =
  | { readonly type: 'removed'; readonly freedBytes: number; readonly isFirst: boolean }
  | Refused<'run_not_ended' | 'work_in_worktree' | 'work_not_saved'>;

export async function removeRun(
  caller: Caller,
  { runId, discardWorktree }: { readonly runId: string; readonly discardWorktree: boolean },
): Promise<RemoveResult> {
  const { home, record, by } = caller;
  const { life } = await loadState(record, runId);
  if (life.type !== 'ended') return { type: 'refused', because: 'run_not_ended', runId };
  await assertPerson(caller, 'removing a run');
  const reclaimed = await reclaimRun({ home, runId, discardWorktree });
  if (reclaimed.type === 'in_worktree')
    return { type: 'refused', because: 'work_in_worktree', runId, path: reclaimed.path };
  if (reclaimed.type === 'kept')
    return { type: 'refused', because: 'work_not_saved', path: reclaimed.path, why: reclaimed.why };
  if (!life.removed) await speak(caller, runId, { type: 'run_removed', by });
  return { type: 'removed', freedBytes: reclaimed.bytes, isFirst: !life.removed };
}
