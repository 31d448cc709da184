/** `mayday accept RUN`: delivers the work as it is because a person says so; the ledger records who. */
import { acceptRun } from '../../use-cases/steer/accept-run.ts';
import type { Invocation } from '../command.ts';
import { finish } from '../finish.ts';
import { follow } from '../follow.ts';
import { textOf } from '../option-values.ts';
import { refusalError } from '../../use-cases/refusal-error.ts';
import { findRun, withRecord } from '../with-record.ts';

export function run(invocation: Invocation): Promise<number> {
  return withRecord(invocation, async (caller) => {
    const { env } = invocation;
    const { record, home } = caller;
    const runId = await findRun(record, invocation.args[0] ?? '');
    const result = await acceptRun(caller, { runId, note: textOf(invocation, 'note') ?? '' });
    if (result.type === 'refused') throw refusalError(result);
    return finish(await follow({ home, record, runId, env, maxWaitMs: null, onEvent: () => {} }), invocation);
  });
}
