/** `mayday answer QUESTION OPTION [--note]`: records a person's answer; the run continues with it. */
import { openQuestion, type RunState } from '../../core/state/run-state.ts';
import { runJson } from '../../core/view/run-json.ts';
import { lineWord } from '../../core/view/run-line.ts';
import { wordText } from '../../core/view/state-word.ts';
import { answerCall } from '../../core/vocabulary/questions/question.ts';
import { recommendedOf } from '../../core/vocabulary/questions/recommended.ts';
import { readableQuotes } from '../../core/text/quote-fenced.ts';
import { usageError } from '../../platform/mayday-error.ts';
import { loadState } from '../../supervise/load-state.ts';
import {
  type AnswerInput,
  type AnswerResult,
  answerQuestion,
} from '../../use-cases/steer/answer-question.ts';
import type { Caller } from '../../use-cases/caller.ts';
import { canChoose, chooseAtTerminal } from '../choose-at-terminal.ts';
import type { Invocation } from '../command.ts';
import { textOf } from '../option-values.ts';
import { plain } from '../render/plain.ts';
import { renderForAll } from '../render/question.ts';
import { granted } from '../../use-cases/refusal-error.ts';
import { print } from '../print.ts';
import { withRecord } from '../with-record.ts';
import { writeText } from '../write-text.ts';

export function run(invocation: Invocation): Promise<number> {
  return withRecord(invocation, async (caller) => {
    const { args, options } = invocation;
    const [name = '', option] = args;
    const note = textOf(invocation, 'note') ?? '';
    const input = option === undefined ? await chosen(invocation, caller, name) : { name, option, note };
    if (input === null) return 3;
    const result = granted(await answerQuestion(caller, input));
    if (options['follow'] === true) {
      const { followToEnd } = await import('../follow-to-end.ts');
      return await followToEnd(invocation, caller, result.before);
    }
    return print(invocation, runJson(result.state), `${answeredWords(result)}\n`);
  });
}

/** Without an option the question is shown and decided at the terminal. */
async function chosen(invocation: Invocation, { record }: Caller, name: string): Promise<AnswerInput | null> {
  const runId = name.replace(/-q\d+$/, '');
  const state = (await record.row(runId)) === null ? null : await loadState(record, runId);
  const question = state === null ? undefined : openQuestion(state)?.question;
  if (question === undefined || state === null) return { name, option: '', note: '' };
  const asked = await renderForAll(record, state, question);
  writeText(invocation.stdout, asked);
  if (canChoose(invocation)) return await chooseAtTerminal(invocation, question);
  throw usageError('NO_OPTION', `the answer to ${question.id} names no option`, [
    ['did', 'nothing: the question is still open'],
    ['do', answerCall(question, recommendedOf(question), 'number')],
  ]);
}

export function answeredWords({
  question: { id, options },
  option,
  state,
}: Exclude<AnswerResult, { readonly type: 'refused' }>): string {
  const label = options.find((one) => one.id === option)?.label ?? option;
  return `answered ${id}: ${readableQuotes(plain(label))}; ${afterAnswer(state)}`;
}

/** An answer may also end the run. */
function afterAnswer(state: RunState): string {
  const { runId, life, asked } = state;
  if (life.type === 'ended')
    return `run ${runId} has ended: ${wordText(lineWord(state))} (mayday show ${runId})`;
  if (asked.abandon !== null) return `run ${runId} ends; its work is kept (mayday show ${runId})`;
  if (life.type === 'delivering') return `run ${runId} is being delivered (mayday watch ${runId})`;
  if (life.type === 'waiting') return `run ${runId} waits: ${life.reason} (mayday show ${runId})`;
  return `mayday watch ${runId} shows what run ${runId} does now`;
}
