/** `mayday resume RUN`: continues a run from its checkpoint, also after a crash or reboot. */
import { resumeRun } from '../../use-cases/steer/resume-run.ts';
import type { Invocation } from '../command.ts';
import { textOf } from '../option-values.ts';
import { granted } from '../../use-cases/refusal-error.ts';
import { print } from '../print.ts';
import { withRun } from '../with-record.ts';

export function run(invocation: Invocation): Promise<number> {
  return withRun(invocation, async (caller, runId) => {
    const { options } = invocation;
    const note = textOf(invocation, 'note') ?? '';
    const agentGone = options['agent-gone'] === true;
    const { before } = granted(await resumeRun(caller, { runId, note, agentGone }));
    if (options['detach'] === true)
      return print(invocation, { run_id: runId }, `run ${runId} goes on; mayday watch ${runId}\n`);
    const { followToEnd } = await import('../follow-to-end.ts');
    return await followToEnd(invocation, caller, before);
  });
}
