/** `mayday abandon RUN`: end a run for good; its work is kept. */
import { openQuestion, type RunState } from '../core/run-state.ts';
import { runJson } from '../core/view/run-json.ts';
import { usageError } from '../platform/mayday-error.ts';
import { assertPerson } from '../supervise/assert-person.ts';
import { loadState } from '../supervise/run-journal.ts';
import type { Invocation } from './command.ts';
import { follow, userName } from './follow.ts';
import { renderQuestion } from './render/question.ts';
import { ending } from './render/story.ts';
import { speak } from './speak.ts';
import { findRun, withRecord } from './with-record.ts';

export function run(invocation: Invocation): Promise<number> {
  return withRecord(invocation, async (opened) => {
    const { env, stdout, json, options } = invocation;
    const { record, home } = opened;
    const runId = await findRun(record, invocation.args[0] ?? '');
    const { life } = await loadState(record, runId);
    if (life.type === 'ended')
      throw usageError('RUN_ENDED', `run ${runId} has ended: ${life.state}`, [
        ['do', `mayday show ${runId}; mayday rm ${runId} takes it from the list`],
      ]);
    await assertPerson(opened, '`mayday abandon`');
    const reason = typeof options['reason'] === 'string' ? options['reason'] : '';
    await speak(opened, runId, { type: 'abandon_requested', by: userName(env), reason }, env);
    const { state } = await follow({ home, record, runId, env, maxWaitMs: null, onEvent: () => {} });
    stdout.write(json ? `${JSON.stringify(runJson(state))}\n` : `${said(state)}\n`);
    // Its delivery was already under way, or a process of it cannot be killed.
    return state.life.type === 'ended' && state.life.state === 'abandoned' ? 0 : exitCode(state);
  });
}

function exitCode({ life }: RunState): number {
  return life.type === 'ended' ? 1 : 3;
}

function said(state: RunState): string {
  const question = openQuestion(state)?.question;
  if (question !== undefined) return renderQuestion(state.runId, question, null);
  return ending(state).join('\n').trim();
}
