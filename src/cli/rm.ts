/** `mayday rm RUN`: take an ended run from the lists and give its disk back; story, evidence and checkpoints stay. */
import { reclaimRun } from '../act/workspace/reclaim-run.ts';
import { MaydayError, usageError } from '../platform/mayday-error.ts';
import { assertPerson } from '../supervise/assert-person.ts';
import { loadState } from '../supervise/run-journal.ts';
import type { Invocation } from './command.ts';
import { userName } from './follow.ts';
import { bytesText } from './render/bytes.ts';
import { speak } from './speak.ts';
import { findRun, withRecord } from './with-record.ts';

export function run(invocation: Invocation): Promise<number> {
  return withRecord(invocation, async (opened) => {
    const { env, stdout, json, options, args } = invocation;
    const { record, home } = opened;
    const runId = await findRun(record, args[0] ?? '');
    const { life, removed } = await loadState(record, runId);
    if (life.type !== 'ended')
      throw usageError('RUN_NOT_ENDED', `run ${runId} has not ended: only an ended run can be removed`, [
        ['do', `mayday abandon ${runId}, then mayday rm ${runId}`],
        ['the run', 'was not touched'],
      ]);
    await assertPerson(opened, '`mayday rm`');
    const discardWorktree = options['discard-worktree'] === true;
    const reclaimed = await reclaimRun({ home, runId, discardWorktree });
    if (reclaimed.type === 'in_worktree')
      throw usageError(
        'WORK_IN_WORKTREE',
        `the work of run ${runId} was delivered nowhere but to ${reclaimed.path}`,
        [
          [
            'do',
            `take it from there, then mayday rm ${runId} --discard-worktree (its last checkpoint stays)`,
          ],
          ['the run', 'was not touched'],
        ],
      );
    if (reclaimed.type === 'kept')
      throw new MaydayError('WORK_NOT_SAVED', `${reclaimed.path} is in no checkpoint: ${reclaimed.why}`, [
        ['Mayday', 'deleted nothing that is not saved'],
        ['do', 'look at it, remove it yourself if it may go, then call this again'],
      ]);
    if (!removed) await speak(opened, runId, { type: 'run_removed', by: userName(env) }, env);
    stdout.write(
      json
        ? `${JSON.stringify({ run_id: runId, removed: true, freed_bytes: reclaimed.bytes })}\n`
        : `run ${runId} is off the list; freed ${bytesText(reclaimed.bytes)}; its story and checkpoints stay: mayday show ${runId}\n`,
    );
    return 0;
  });
}
