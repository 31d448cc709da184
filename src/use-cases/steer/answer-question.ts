/** `answerQuestion`: records a person's answer to an open question. `planAnswer`: whether it could; `hasAnswer`: whether it did. */
import { readableQuotes } from '../../core/text/quote-fenced.ts';
import { givesRights } from '../../core/vocabulary/questions/consequence.ts';
import { lacksWords, type Question } from '../../core/vocabulary/questions/question.ts';
import { openQuestion, type RunState } from '../../core/state/run-state.ts';
import { MaydayError } from '../../platform/mayday-error.ts';
import { assertPerson } from '../../supervise/mail/assert-person.ts';
import { loadState } from '../../supervise/load-state.ts';
import type { Caller } from '../caller.ts';
import { speak } from '../speak.ts';
import type { Refused } from '../refusal.ts';

export interface AnswerInput {
  /** The id of the question, or of its run. */
  readonly name: string;
  /** The id of the option, its number in the list, from 1, its label, or several words in reply to an agent. */
  readonly option: string;
  readonly note: string;
}

type AnswerRefusal = Refused<'unknown_question' | 'question_closed' | 'unknown_option' | 'answer_needs_note'>;

export type AnswerResult =
  | {
      readonly type: 'answered';
      readonly question: Question;
      readonly option: string;
      readonly before: RunState;
      readonly state: RunState;
    }
  | AnswerRefusal;

/** What the answer will be, without recording it. */
export async function planAnswer(
  caller: Caller,
  { name, option: wanted, note: said }: AnswerInput,
): Promise<AnswerRefusal | (AnswerInput & { type: 'planned'; question: Question; before: RunState })> {
  const { record, isGuest = false } = caller;
  const runId = name.replace(/-q\d+$/, '');
  if ((await record.row(runId)) === null) return { type: 'refused', because: 'unknown_question', name };
  const before = await loadState(record, runId);
  const question = openQuestion(before)?.question;
  if (question === undefined || (name !== question.id && name !== runId)) return closedFor(name, before);
  const { option, note } = chosen(question, wanted, said);
  if (option === undefined) return { type: 'refused', because: 'unknown_option', question, wanted };
  await assertPerson(caller, 'an answer');
  const then = question.options.find(({ id }) => id === option)?.consequence;
  if (isGuest && (then === undefined || givesRights(then, before.task.checks)))
    throw new MaydayError(
      'NOT_ALLOWED',
      'this answer lets an agent use more of the machine: only the person who opened the desk may give it',
      [['did', 'nothing: the answer was not recorded']],
    );
  if (lacksWords(question, option, note))
    return { type: 'refused', because: 'answer_needs_note', question, option };
  return { type: 'planned', name: question.id, question, option, note, before };
}

export async function answerQuestion(caller: Caller, input: AnswerInput): Promise<AnswerResult> {
  const planned = await planAnswer(caller, input);
  if (planned.type === 'refused') return planned;
  const { question, option, note, before } = planned;
  const word = { type: 'question_answered', question: question.id, option, note, by: caller.by } as const;
  const state = await speak(caller, before.runId, word);
  const taken = state.questions.find((asked) => asked.question.id === question.id)?.answer ?? null;
  // Somebody else may have chosen the same at the same time, with other words.
  return hasAnswer(taken, caller, planned)
    ? { type: 'answered', question, option, before, state }
    : closedFor(input.name, state);
}

/** Whether a question got exactly this answer of this caller. The record keeps words with a secret in them otherwise. */
export function hasAnswer(
  taken: RunState['questions'][number]['answer'],
  { by, record }: Caller,
  { option, note }: Pick<AnswerInput, 'option' | 'note'>,
): boolean {
  const isOwn = taken?.by === by && (taken.note === note || record.redacted(note) !== note);
  return isOwn && taken.option === option;
}

function closedFor(name: string, state: RunState): Refused<'question_closed'> {
  const { runId, life } = state;
  const until = life.type === 'waiting' && life.until !== null ? life.until - Date.now() : 0;
  const asks = openQuestion(state)?.question.id ?? null;
  return {
    type: 'refused',
    because: 'question_closed',
    name,
    runId,
    asks,
    goesOnInMs: until > 0 ? until : null,
  };
}

/**
 * What names no option is a reply, where the question takes one: several words, or a word of the agent's question. Any other single
 * word may be an option that was mistyped.
 */
function chosen(
  { options, text }: Question,
  wanted: string,
  note: string,
): { readonly option: string | undefined; readonly note: string } {
  const named =
    options.find(({ id }, index) => id === wanted || String(index + 1) === wanted)?.id ??
    byLabel(options, wanted);
  if (named !== undefined) return { option: named, note };
  const reply = options.find(
    ({ consequence }) => consequence?.type === 'tell_agent' && consequence.told === 'answer',
  )?.id;
  if (wanted === 'reply') return { option: reply, note };
  const asked = text.toLowerCase().split(/[^\p{L}\p{N}_.+#-]+/u);
  return /\S\s+\S/.test(wanted) || asked.includes(wanted.toLowerCase())
    ? { option: reply, note: [wanted, note].filter(Boolean).join(' ') }
    : { option: undefined, note };
}

/** By its words as they are printed, or by the letter that stands before them, as in `B: database`. */
function byLabel(options: Question['options'], wanted: string): string | undefined {
  const said = wanted.trim().toLowerCase();
  const named = options.filter(({ label }) => {
    const words = readableQuotes(label).replaceAll(/[“”]/g, '').trim().toLowerCase();
    return said !== '' && (words === said || /^(\w+)[.:)]\s/.exec(words)?.[1] === said);
  });
  return named.length === 1 ? named[0]?.id : undefined;
}
