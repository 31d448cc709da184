/** `mayday flag RUN --reason`: raises the blocker flag. A person may flag any run, an agent only its own; the run pauses and asks. */
import { runJson } from '../../core/view/run-json.ts';
import { maydayHome } from '../../supervise/home.ts';
import { flagFromInside, flagRun } from '../../use-cases/steer/flag-run.ts';
import type { Invocation } from '../command.ts';
import { textOf } from '../option-values.ts';
import { refusalError } from '../../use-cases/refusal-error.ts';
import { findRun, withRecord } from '../with-record.ts';

export async function run(invocation: Invocation): Promise<number> {
  const [name = ''] = invocation.args;
  const flag = { runId: name, reason: textOf(invocation, 'reason') ?? '' };
  const inside = await flagFromInside(maydayHome(invocation.env), flag);
  if (inside?.type === 'refused') throw refusalError(inside);
  if (inside !== null) {
    const { json, stdout } = invocation;
    stdout.write(json ? `${JSON.stringify({ run_id: name, flagged: true })}\n` : `flag raised on ${name}\n`);
    return 0;
  }
  return await withRecord(invocation, async (caller) => {
    const { stdout, json } = invocation;
    const runId = await findRun(caller.record, name);
    const result = await flagRun(caller, { ...flag, runId });
    if (result.type === 'refused') throw refusalError(result);
    stdout.write(
      json
        ? `${JSON.stringify(runJson(result.state))}\n`
        : `flag raised on ${runId}; it pauses and asks (mayday inbox)\n`,
    );
    return 0;
  });
}
