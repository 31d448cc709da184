/** `mayday submit`: queues a task; `mayday work` takes it: on this host, or on another of the fleet if all that it needs can travel. */
import { runJson } from '../../core/view/run-json.ts';
import type { Invocation } from '../command.ts';
import { print } from '../print.ts';
import { withNewRun } from './new-run.ts';

export function run(invocation: Invocation): Promise<number> {
  return withNewRun(invocation, true, async (_caller, { runId, state }) =>
    print(invocation, runJson(state), `mayday  run ${runId} is queued; mayday work takes it\n`),
  );
}
