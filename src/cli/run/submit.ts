/** `mayday submit`: queues a task; only `mayday work` on this host takes it. */
import { runJson } from '../../core/view/run-json.ts';
import type { Invocation } from '../command.ts';
import { withNewRun } from './run.ts';

export function run(invocation: Invocation): Promise<number> {
  return withNewRun(invocation, true, async (_caller, { runId, state }) => {
    const { stdout, json } = invocation;
    stdout.write(
      json ? `${JSON.stringify(runJson(state))}\n` : `mayday  run ${runId} is queued; mayday work takes it\n`,
    );
    return 0;
  });
}
