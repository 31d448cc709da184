/** `mayday checkpoint RUN`: takes a checkpoint now, also while the agent works. */
import { counted } from '../../core/text/counted.ts';
import { checkpointRun } from '../../use-cases/steer/checkpoint-run.ts';
import type { Invocation } from '../command.ts';
import { refusalError } from '../../use-cases/refusal-error.ts';
import { findRun, withRecord } from '../with-record.ts';

export function run(invocation: Invocation): Promise<number> {
  return withRecord(invocation, async (caller) => {
    const { stdout, json } = invocation;
    const runId = await findRun(caller.record, invocation.args[0] ?? '');
    const result = await checkpointRun(caller, { runId });
    if (result.type === 'refused') throw refusalError(result);
    const { checkpoint, files } = result;
    stdout.write(
      json
        ? `${JSON.stringify({ run_id: runId, ...checkpoint })}\n`
        : `checkpoint ${checkpoint.number} of ${runId}: ${checkpoint.state}, ${counted(files, 'file')}\n`,
    );
    return 0;
  });
}
