/** `canChoose`, `chooseAtTerminal`: let the person at the terminal decide on the spot: a number, the name of an option, or words. */
import { lacksWords, type Question } from '../core/vocabulary/question.ts';
import type { AnswerInput } from '../use-cases/answer-question.ts';
import type { Invocation } from './command.ts';
import { type Ask, converse } from './conversation.ts';

/** Where plain words go, the closest first. */
const TAKES_WORDS = ['reply', 'answer_question', 'revise_work'];

export function canChoose({ json, stdout }: Invocation): boolean {
  return !json && stdout.isTTY === true && process.stdin.isTTY === true;
}

/** Null: the person decides later. */
export async function chooseAtTerminal(
  { stdout }: Invocation,
  question: Question,
): Promise<AnswerInput | null> {
  return await converse(stdout, (ask) => chosenBy(ask, question)).catch((error: unknown) => {
    if ((error as { code?: unknown }).code === 'NOTHING_SAID') return null;
    throw error;
  });
}

async function chosenBy(ask: Ask, question: Question): Promise<AnswerInput | null> {
  const { id: name, options } = question;
  for (;;) {
    const said = (await ask(`your decision (1-${options.length}, or your words; Enter: later)  `)).trim();
    if (said === '') return null;
    const option = options.find(({ id }, index) => id === said || String(index + 1) === said);
    const own = TAKES_WORDS.map((id) => options.find((one) => one.id === id)).find(
      (one) => one !== undefined,
    );
    if (option === undefined && own !== undefined && /\S\s+\S/.test(said))
      return { name, option: own.id, note: said };
    if (option === undefined) continue;
    const note = lacksWords(question, option.id, '') ? (await ask('your words  ')).trim() : '';
    if (!lacksWords(question, option.id, note)) return { name, option: option.id, note };
  }
}
