/** `mayday accept RUN`: delivers the work as it is because a person says so; the ledger records who. */
import { acceptRun } from '../../use-cases/steer/accept-run.ts';
import type { Invocation } from '../command.ts';
import { finish } from '../finish.ts';
import { follow } from '../follow.ts';
import { textOf } from '../option-values.ts';
import { granted } from '../../use-cases/refusal-error.ts';
import { withRun } from '../with-record.ts';

export function run(invocation: Invocation): Promise<number> {
  return withRun(invocation, async (caller, runId) => {
    const { env } = invocation;
    const { record, home } = caller;
    granted(await acceptRun(caller, { runId, note: textOf(invocation, 'note') ?? '' }));
    const end = await follow({ home, record, runId, env });
    return await finish(end, invocation);
  });
}
