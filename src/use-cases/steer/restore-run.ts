/** `restoreRun`: brings a checkpoint back. What is there now is saved first, so that the restore can be undone. */
import { type Restored, restoreCheckpoint } from '../../act/checkpoint/restore-checkpoint.ts';
import { lastCheckpoint } from '../../core/state/last-tree.ts';
import { currentAttempt } from '../../core/state/run-state.ts';
import type { ContainerHandle } from '../../platform/container/container-handle.ts';
import { observe } from '../../platform/container/observe.ts';
import { claimFolder } from '../../supervise/lease/claim-folder.ts';
import { assertPerson } from '../../supervise/mail/assert-person.ts';
import { loadState } from '../../supervise/load-state.ts';
import { unseenAttempt, unseenError } from '../../supervise/watch/unseen-attempt.ts';
import type { Caller } from '../caller.ts';
import { speak } from '../speak.ts';
import { type Refused, runEnded } from '../refusal.ts';

export type RestoreResult =
  | (Pick<Restored, 'restored' | 'deleted' | 'kept'> & {
      readonly type: 'restored';
      readonly number: number;
      /** The checkpoint of what was there before. */
      readonly before: number;
    })
  | Refused<'no_checkpoint' | 'run_ended'>;

export async function restoreRun(
  caller: Caller,
  /** `checkpoint`: its number; undefined: the last one. */
  { runId, checkpoint }: { readonly runId: string; readonly checkpoint: string | undefined },
): Promise<RestoreResult> {
  const { home, record, by } = caller;
  const state = await loadState(record, runId);
  const number = checkpoint === undefined ? lastCheckpoint(state)?.number : Number(checkpoint);
  if (number === undefined || !Number.isInteger(number))
    return { type: 'refused', because: 'no_checkpoint', runId, wanted: checkpoint ?? '' };
  const ended = runEnded('restore', state);
  const { workspace } = state;
  if (ended !== null && (workspace === null || workspace.kind === 'worktree')) return ended;
  // The person's folder stays after the end. Another run may work in it by now.
  if (ended !== null && workspace !== null) await claimFolder(home, record, workspace.path, runId);
  await assertPerson(caller, 'restoring a checkpoint');
  const handle = currentAttempt(state)?.handle as ContainerHandle | null | undefined;
  const unseen = await unseenAttempt(home, record, runId);
  if (unseen !== null) throw unseenError(unseen);
  const { restored, deleted, kept, before } = await restoreCheckpoint({
    home,
    runId,
    number,
    liveProcesses: handle ? (await observe(handle)).members.length : 0,
    ignoredToInclude: state.options.ignoredToCopy,
  });
  const word = { type: 'checkpoint_restored', number, restored: restored.length, kept, by } as const;
  await speak(caller, runId, word);
  return { type: 'restored', number, restored, deleted, kept, before: before.number };
}
