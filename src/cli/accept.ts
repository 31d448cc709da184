/** `mayday accept RUN`: deliver the work by a person's word, recorded as such. */
import { usageError } from '../platform/mayday-error.ts';
import { assertPerson } from '../supervise/assert-person.ts';
import { loadState } from '../supervise/run-journal.ts';
import type { Invocation } from './command.ts';
import { follow, userName } from './follow.ts';
import { finish } from './finish.ts';
import { speak } from './speak.ts';
import { findRun, withRecord } from './with-record.ts';

export function run(invocation: Invocation): Promise<number> {
  return withRecord(invocation, async (opened) => {
    const { env, options } = invocation;
    const { record, home } = opened;
    const runId = await findRun(record, invocation.args[0] ?? '');
    const state = await loadState(record, runId);
    if (state.life.type === 'ended')
      throw usageError('RUN_ENDED', `run ${runId} has ended: ${state.life.state}`, [
        ['do', `mayday show ${runId}`],
      ]);
    await assertPerson(opened, '`mayday accept`');
    const note = typeof options['note'] === 'string' ? options['note'] : '';
    await speak(opened, runId, { type: 'accept_requested', by: userName(env), note }, env);
    return finish(await follow({ home, record, runId, env, maxWaitMs: null, onEvent: () => {} }), invocation);
  });
}
