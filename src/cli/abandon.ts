/** `mayday abandon RUN`, `mayday abandon --all`: end runs for good; their work is kept. */
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
import { findRun, type Opened, withRecord } from './with-record.ts';

export function run(invocation: Invocation): Promise<number> {
  const { args, options, stdout, json } = invocation;
  const isAll = options['all'] === true;
  if (isAll === (args.length === 1))
    throw usageError('WRONG_ARGUMENTS', 'mayday abandon takes one RUN, or --all', [
      ['do', 'mayday abandon --help'],
    ]);
  return withRecord(invocation, async (opened) => {
    await assertPerson(opened, '`mayday abandon`');
    if (!isAll) {
      const state = await abandon(opened, await findRun(opened.record, args[0] ?? ''), invocation);
      stdout.write(json ? `${JSON.stringify(runJson(state))}\n` : `${said(state)}\n`);
      return exitCode(state);
    }
    const states: RunState[] = [];
    for (const { runId } of await opened.record.rows({ ended: false, withoutView: true }))
      states.push(await abandon(opened, runId, invocation));
    const lines =
      states.length === 0 ? ['no run is under way'] : states.map((one) => `${one.runId}  ${said(one)}`);
    stdout.write(json ? `${JSON.stringify(states.map(runJson))}\n` : `${lines.join('\n')}\n`);
    return Math.max(0, ...states.map(exitCode));
  });
}

async function abandon(opened: Opened, runId: string, { env, options }: Invocation): Promise<RunState> {
  const { record, home } = opened;
  const { life } = await loadState(record, runId);
  if (life.type === 'ended')
    throw usageError('RUN_ENDED', `run ${runId} has ended: ${life.state}`, [
      ['do', `mayday show ${runId}; mayday rm ${runId} takes it from the list`],
    ]);
  const reason = typeof options['reason'] === 'string' ? options['reason'] : '';
  await speak(opened, runId, { type: 'abandon_requested', by: userName(env), reason }, env);
  return (await follow({ home, record, runId, env, maxWaitMs: null, onEvent: () => {} })).state;
}

/** Not 0 where its delivery was already under way, or where a process of it cannot be killed and a question is open. */
function exitCode({ life }: RunState): number {
  if (life.type !== 'ended') return 3;
  return life.state === 'abandoned' ? 0 : 1;
}

function said(state: RunState): string {
  const question = openQuestion(state)?.question;
  if (question !== undefined) return renderQuestion(state.runId, question, null);
  return ending(state).join('\n').trim();
}
