/** `mayday accept RUN`: deliver the work by a person's word, recorded as such. */
import { acceptRefusal } from '../core/gates/accept-refusal.ts';
import { answerCall } from '../core/question.ts';
import { openQuestion, type RunState } from '../core/run-state.ts';
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
    assertAcceptable(state, note);
    await speak(opened, runId, { type: 'accept_requested', by: userName(env), note }, env);
    return finish(await follow({ home, record, runId, env, maxWaitMs: null, onEvent: () => {} }), invocation);
  });
}

function assertAcceptable(state: RunState, note: string): void {
  const { runId } = state;
  switch (acceptRefusal(state, note)) {
    case null:
      return;
    case 'no_workspace':
      throw usageError('NO_WORKSPACE', `run ${runId} has no workspace yet`, [['do', `mayday show ${runId}`]]);
    case 'nothing_to_deliver': {
      const waivable = openQuestion(state)?.question;
      const mayWaive = waivable?.options.some(({ id }) => id === 'waive_with_reason') === true;
      throw usageError(
        'NOTHING_TO_DELIVER',
        `run ${runId} has changed no file: there is nothing to deliver`,
        [
          [
            'do',
            mayWaive && waivable !== undefined
              ? `${answerCall(waivable, 'waive_with_reason')} if nothing has to change`
              : `mayday resume ${runId}, or mayday abandon ${runId}`,
          ],
          ['the word', 'was not recorded and nothing was changed'],
        ],
      );
    }
    case 'note_missing':
      throw usageError(
        'NOTE_MISSING',
        `no check proves the work of run ${runId}: your word for it needs your own words`,
        [
          ['do', `mayday accept ${runId} --note "YOUR WORDS"`],
          ['the word', 'was not recorded and nothing was changed'],
        ],
      );
  }
}
