/** `mayday restore RUN[@N]`: brings a checkpoint back. What is there now is saved first, so that the restore can be undone. */
import { counted } from '../../core/text/counted.ts';
import { restoreRun } from '../../use-cases/steer/restore-run.ts';
import type { Invocation } from '../command.ts';
import { granted } from '../../use-cases/refusal-error.ts';
import { print } from '../print.ts';
import { findRun, withRecord } from '../with-record.ts';

export function run(invocation: Invocation): Promise<number> {
  return withRecord(invocation, async (caller) => {
    const [, name = '', checkpoint] = /^(.+?)(?:@([^@]*))?$/.exec(invocation.args[0] ?? '') ?? [];
    const runId = await findRun(caller.record, name);
    const result = granted(await restoreRun(caller, { runId, checkpoint }));
    const { number, restored, deleted, kept, before } = result;
    const undo = `mayday restore ${runId}@${before}`;
    const text = [
      `checkpoint ${number} of ${runId} is back: ${counted(restored.length, 'file')} restored, `,
      `${deleted.length} removed, ${kept.length} newer ones kept\nundo: ${undo}\n`,
    ];
    return print(invocation, { run_id: runId, number, restored, deleted, kept, undo }, text.join(''));
  });
}
