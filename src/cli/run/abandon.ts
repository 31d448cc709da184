/** `mayday abandon RUN`, `mayday abandon --all`: ends runs for good; their work is kept. */
import { openQuestion, type RunState } from '../../core/state/run-state.ts';
import { runJson } from '../../core/view/run-json.ts';
import { usageError } from '../../platform/mayday-error.ts';
import { abandonRun } from '../../use-cases/steer/abandon-run.ts';
import type { Caller } from '../../use-cases/caller.ts';
import type { Invocation } from '../command.ts';
import { follow } from '../follow.ts';
import { textOf } from '../option-values.ts';
import { renderQuestion } from '../render/question.ts';
import { granted } from '../../use-cases/refusal-error.ts';
import { ending } from '../render/story.ts';
import { print } from '../print.ts';
import { findRun, withRecord } from '../with-record.ts';

export function run(invocation: Invocation): Promise<number> {
  const { args, options } = invocation;
  const isAll = options['all'] === true;
  if (isAll === (args.length === 1))
    throw usageError('WRONG_ARGUMENTS', 'abandon takes one RUN, or --all', [['do', 'mayday abandon --help']]);
  return withRecord(invocation, async (caller) => {
    if (!isAll) {
      const state = await abandon(caller, await findRun(caller.record, args[0] ?? ''), invocation);
      print(invocation, runJson(state), `${said(state)}\n`);
      return exitCode(state);
    }
    const states: RunState[] = [];
    for (const { runId } of await caller.record.rows({ ended: false, withoutView: true }))
      states.push(await abandon(caller, runId, invocation));
    const lines =
      states.length === 0 ? ['no run is under way'] : states.map((one) => `${one.runId}  ${said(one)}`);
    print(invocation, states.map(runJson), `${lines.join('\n')}\n`);
    return Math.max(0, ...states.map(exitCode));
  });
}

async function abandon(caller: Caller, runId: string, invocation: Invocation): Promise<RunState> {
  const { record, home } = caller;
  granted(await abandonRun(caller, { runId, reason: textOf(invocation, 'reason') ?? '' }));
  const { env } = invocation;
  return (await follow({ home, record, runId, env, maxWaitMs: null, onEvent: () => {} })).state;
}

/** Not 0 when the delivery was already under way, or when a process cannot be killed and a question about it is open. */
function exitCode({ life }: RunState): number {
  if (life.type !== 'ended') return 3;
  return life.state === 'abandoned' ? 0 : 1;
}

function said(state: RunState): string {
  const question = openQuestion(state)?.question;
  if (question !== undefined) return renderQuestion(state.runId, question, null);
  return ending(state).join('\n').trim();
}
