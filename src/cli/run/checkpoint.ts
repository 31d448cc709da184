/** `mayday checkpoint RUN`: takes a checkpoint now, also while the agent works. */
import { counted } from '../../core/text/counted.ts';
import { checkpointRun } from '../../use-cases/steer/checkpoint-run.ts';
import type { Invocation } from '../command.ts';
import { granted } from '../../use-cases/refusal-error.ts';
import { print } from '../print.ts';
import { withRun } from '../with-record.ts';

export function run(invocation: Invocation): Promise<number> {
  return withRun(invocation, async (caller, runId) => {
    const { checkpoint, files } = granted(await checkpointRun(caller, { runId }));
    const { number, state } = checkpoint;
    const text = `checkpoint ${number} of ${runId}: ${state}, ${counted(files, 'file')}\n`;
    return print(invocation, { run_id: runId, ...checkpoint }, text);
  });
}
