/** `mayday resume RUN...`: continues runs from their checkpoints, also after a crash or reboot. One run is followed, several are not. */
import { resumeRun } from '../../use-cases/steer/resume-run.ts';
import type { Invocation } from '../command.ts';
import { textOf } from '../option-values.ts';
import { granted } from '../../use-cases/refusal-error.ts';
import { withRun } from '../with-record.ts';
import { overRuns } from './over-runs.ts';

export function run(invocation: Invocation): Promise<number> {
  const { args, options } = invocation;
  const said = { note: textOf(invocation, 'note') ?? '', agentGone: options['agent-gone'] === true };
  if (args.length > 1 || options['detach'] === true)
    return overRuns(invocation, {
      name: 'resume',
      all: null,
      begin: async (caller, runId) => {
        granted(await resumeRun(caller, { runId, ...said }));
        const text = `run ${runId} goes on; mayday watch ${runId}\n`;
        return async () => ({ document: { run_id: runId }, text, exitCode: 0 });
      },
    });
  return withRun(invocation, async (caller, runId) => {
    const { before } = granted(await resumeRun(caller, { runId, ...said }));
    const { followToEnd } = await import('../follow-to-end.ts');
    return await followToEnd(invocation, caller, before);
  });
}
