/** `mayday restore RUN[@N]`: brings a checkpoint back. What is there now is saved first, so that the restore can be undone. */
import { counted } from '../../core/text/counted.ts';
import { restoreRun } from '../../use-cases/steer/restore-run.ts';
import type { Invocation } from '../command.ts';
import { refusalError } from '../../use-cases/refusal-error.ts';
import { findRun, withRecord } from '../with-record.ts';

export function run(invocation: Invocation): Promise<number> {
  return withRecord(invocation, async (caller) => {
    const { stdout, json } = invocation;
    const [name = '', checkpoint] = (invocation.args[0] ?? '').split('@');
    const runId = await findRun(caller.record, name);
    const result = await restoreRun(caller, { runId, checkpoint });
    if (result.type === 'refused') throw refusalError(result);
    const { number, restored, deleted, kept } = result;
    const undo = `mayday restore ${runId}@${result.before}`;
    stdout.write(
      json
        ? `${JSON.stringify({ run_id: runId, number, restored, deleted, kept, undo })}\n`
        : [
            `checkpoint ${number} of ${runId} is back: ${counted(restored.length, 'file')} restored, `,
            `${deleted.length} removed, ${kept.length} newer ones kept\nundo: ${undo}\n`,
          ].join(''),
    );
    return 0;
  });
}
