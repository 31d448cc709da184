/** `mayday flag RUN --reason`: the blocker flag by a person, or by the agent on its own run and in its own name; the run pauses and asks. */
import { runJson } from '../core/view/run-json.ts';
import { usageError } from '../platform/mayday-error.ts';
import { assertPerson, supervisedBy } from '../supervise/assert-person.ts';
import { postAgentFlag, postWord } from '../supervise/mail.ts';
import type { Invocation } from './command.ts';
import { userName } from './follow.ts';
import { heard } from './speak.ts';
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
    const caller = await supervisedBy(opened.home, opened.record);
    // An agent may raise the flag on its own run, as itself; on another's it would only stop others' work.
    if (caller !== null && caller !== runId) await assertPerson(opened, 'a flag on another run');
    if (caller === null) await postWord(opened, runId, { type: 'flag_raised', by: userName(env), reason });
    else await postAgentFlag(opened.record, runId, reason);
    const state = await heard(opened, runId, env);
    if (
      state.flagged?.reason !== reason &&
      !state.questions.some(({ question }) => question.evidence.includes(reason))
    )
      throw usageError('NOT_WORKING', `run ${runId} is not working now, so there is nothing to stop`, [
        ['the flag', 'was not raised and nothing was changed'],
        ['do', `mayday show ${runId}`],
      ]);
    stdout.write(
      json
        ? `${JSON.stringify(runJson(state))}\n`
        : `flag raised on ${runId}; it pauses and asks (mayday inbox)\n`,
    );
    return 0;
  });
}
