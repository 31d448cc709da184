/** `mayday submit`: a task into the queue; `mayday work` on this host takes it, and nobody else does. */
import { runJson } from '../core/view/run-json.ts';
import type { Invocation } from './command.ts';
import { withNewRun } from './run.ts';

export function run(invocation: Invocation): Promise<number> {
  return withNewRun(
    invocation,
    async (_home, record, journal) => {
      const { stdout, json } = invocation;
      const { runId } = journal.state;
      await record.releaseLease(runId, journal.fence);
      stdout.write(
        json
          ? `${JSON.stringify(runJson(journal.state))}\n`
          : `mayday  run ${runId} is queued; mayday work takes it\n`,
      );
      return 0;
    },
    { queued: true },
  );
}
