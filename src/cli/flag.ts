/** `mayday flag RUN --reason`: a person raises the blocker flag; the run pauses and asks. */
import { runJson } from '../core/view/run-json.ts';
import { usageError } from '../platform/mayday-error.ts';
import type { Invocation } from './command.ts';
import { userName } from './follow.ts';
import { speak } from './speak.ts';
import { findRun, withRecord } from './with-record.ts';

export function run(invocation: Invocation): Promise<number> {
  return withRecord(invocation, async (opened) => {
    const { env, stdout, json, options } = invocation;
    const reason = typeof options['reason'] === 'string' ? options['reason'].trim() : '';
    if (reason === '')
      throw usageError('NO_REASON', 'a flag needs its reason', [
        ['do', 'mayday flag RUN --reason "what is wrong"'],
      ]);
    const runId = await findRun(opened.record, invocation.args[0] ?? '');
    const state = await speak(opened, runId, { type: 'flag_raised', by: userName(env), reason }, env);
    stdout.write(
      json
        ? `${JSON.stringify(runJson(state))}\n`
        : `flag raised on ${runId}; it pauses and asks (mayday inbox)\n`,
    );
    return 0;
  });
}
