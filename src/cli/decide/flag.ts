/** `mayday flag RUN --reason`: raises the blocker flag. A person may flag any run, an agent only its own; the run pauses and asks. */
import { runJson } from '../../core/view/run-json.ts';
import { flagRun } from '../../use-cases/flag-run.ts';
import type { Invocation } from '../command.ts';
import { textOf } from '../option-values.ts';
import { refusalError } from '../render/refusal.ts';
import { findRun, withRecord } from '../with-record.ts';

export function run(invocation: Invocation): Promise<number> {
  return withRecord(invocation, async (caller) => {
    const { stdout, json } = invocation;
    const runId = await findRun(caller.record, invocation.args[0] ?? '');
    const result = await flagRun(caller, { runId, reason: textOf(invocation, 'reason') ?? '' });
    if (result.type === 'refused') throw refusalError(result);
    stdout.write(
      json
        ? `${JSON.stringify(runJson(result.state))}\n`
        : `flag raised on ${runId}; it pauses and asks (mayday inbox)\n`,
    );
    return 0;
  });
}
