/** `mayday answer QUESTION OPTION [--note]`: records a person's answer; the run continues with it. */
import type { RunState } from '../../core/state/run-state.ts';
import { runJson } from '../../core/view/run-json.ts';
import { answerQuestion } from '../../use-cases/answer-question.ts';
import type { Invocation } from '../command.ts';
import { followToEnd } from '../follow-to-end.ts';
import { textOf } from '../option-values.ts';
import { refusalError } from '../render/refusal.ts';
import { withRecord } from '../with-record.ts';

export function run(invocation: Invocation): Promise<number> {
  return withRecord(invocation, async (caller) => {
    const { args, options, json, stdout } = invocation;
    const [name = '', option = ''] = args;
    const result = await answerQuestion(caller, { name, option, note: textOf(invocation, 'note') ?? '' });
    if (result.type === 'refused') throw refusalError(result);
    if (options['follow'] === true) return await followToEnd(invocation, caller, result.before);
    const { question, state } = result;
    stdout.write(
      json
        ? `${JSON.stringify(runJson(state))}\n`
        : `answered ${question.id}: ${result.option}; ${nowOf(state)}\n`,
    );
    return 0;
  });
}

/** What the run does after the answer; an answer may also end it. */
function nowOf({ runId, life, asked }: RunState): string {
  if (life.type === 'ended') return `run ${runId} has ended: ${life.state} (mayday show ${runId})`;
  if (asked.abandon !== null) return `run ${runId} ends; its work is kept (mayday show ${runId})`;
  if (life.type === 'delivering') return `run ${runId} is being delivered (mayday watch ${runId})`;
  if (life.type === 'waiting') return `run ${runId} waits: ${life.reason} (mayday show ${runId})`;
  return `run ${runId} goes on (mayday watch ${runId})`;
}
