/** `mayday restore RUN[@N]`: bring a checkpoint back; what is there now is saved first, so that this too can be undone. */
import { restoreCheckpoint } from '../act/workspace/restore-checkpoint.ts';
import type { ContainerHandle } from '../platform/container-handle.ts';
import { usageError } from '../platform/mayday-error.ts';
import { observe } from '../platform/observe.ts';
import { currentAttempt } from '../core/run-state.ts';
import { assertPerson } from '../supervise/assert-person.ts';
import { loadState } from '../supervise/run-journal.ts';
import { unseenAttempt, unseenError } from '../supervise/unseen-attempt.ts';
import type { Invocation } from './command.ts';
import { userName } from './follow.ts';
import { speak } from './speak.ts';
import { findRun, withRecord } from './with-record.ts';

export function run(invocation: Invocation): Promise<number> {
  return withRecord(invocation, async (opened) => {
    const { home, record } = opened;
    const { env, stdout, json } = invocation;
    const [name = '', wanted] = (invocation.args[0] ?? '').split('@');
    const runId = await findRun(record, name);
    const state = await loadState(record, runId);
    const number = wanted === undefined ? state.checkpoints.at(-1)?.number : Number(wanted);
    if (number === undefined || !Number.isInteger(number))
      throw usageError('NO_CHECKPOINT', `run ${runId} has no checkpoint ${JSON.stringify(wanted ?? '')}`, [
        ['do', `mayday checkpoints ${runId}`],
      ]);
    if (state.life.type === 'ended')
      throw usageError('RUN_ENDED', `run ${runId} has ended; its worktree is gone`, [
        ['do', `mayday diff ${runId} shows the work; git merge delivers it`],
      ]);
    await assertPerson(opened, '`mayday restore`');
    const handle = currentAttempt(state)?.handle as ContainerHandle | null | undefined;
    const unseen = await unseenAttempt(home, record, runId);
    if (unseen !== null) throw unseenError(unseen);
    const live = handle ? (await observe(handle)).members.length : 0;
    const restored = await restoreCheckpoint({
      home,
      runId,
      number,
      liveProcesses: live,
      ignoredToInclude: state.options.ignoredToCopy,
    });
    const by = userName(env);
    await speak(
      opened,
      runId,
      { type: 'checkpoint_restored', number, restored: restored.restored.length, kept: restored.kept, by },
      env,
    );
    const undo = `mayday restore ${runId}@${restored.before.number}`;
    stdout.write(
      json
        ? `${JSON.stringify({ run_id: runId, number, restored: restored.restored, deleted: restored.deleted, kept: restored.kept, undo })}\n`
        : `checkpoint ${number} of ${runId} is back: ${restored.restored.length} files restored, ${restored.deleted.length} removed, ${restored.kept.length} newer ones kept\nundo: ${undo}\n`,
    );
    return 0;
  });
}
