/** `mayday flag RUN --reason`: raises the blocker flag. A person may flag any run, an agent only its own; the run pauses and asks. */
import { runJson } from '../../core/view/run-json.ts';
import { maydayHome } from '../../supervise/home.ts';
import { flagFromInside, flagRun } from '../../use-cases/steer/flag-run.ts';
import type { Invocation } from '../command.ts';
import { textOf } from '../option-values.ts';
import { granted } from '../../use-cases/refusal-error.ts';
import { print } from '../print.ts';
import { withRun } from '../with-record.ts';

export async function run(invocation: Invocation): Promise<number> {
  const [name = ''] = invocation.args;
  const flag = { runId: name, reason: textOf(invocation, 'reason') ?? '' };
  const inside = await flagFromInside(maydayHome(invocation.env), flag);
  if (inside !== null) {
    granted(inside);
    return print(invocation, { run_id: name, flagged: true }, `flag raised on ${name}\n`);
  }
  return await withRun(invocation, async (caller, runId) => {
    const { state } = granted(await flagRun(caller, { ...flag, runId }));
    return print(invocation, runJson(state), `flag raised on ${runId}; it pauses and asks (mayday inbox)\n`);
  });
}
