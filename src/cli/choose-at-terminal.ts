/** `canChoose`, `chooseAtTerminal`, `readChoice`: the person at the terminal decides by a number, an option's name, or words. */
import { lacksWords, type Question } from '../core/vocabulary/questions/question.ts';
import type { AnswerInput } from '../use-cases/steer/answer-question.ts';
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
  return await converse(stdout.stream, (ask) => chosenBy(ask, question)).catch((error: unknown) => {
    if ((error as { code?: unknown }).code === 'NOTHING_SAID') return null;
    throw error;
  });
}

async function chosenBy(ask: Ask, question: Question): Promise<AnswerInput | null> {
  const last = question.options.length;
  let prompt = `your decision (1-${last}, or your words; Enter: later)  `;
  for (;;) {
    const said = await ask(prompt);
    if (said.trim() === '') return null;
    const choice = readChoice(question, said);
    if (choice === null) {
      prompt = `that is no option: a number from 1 to ${last}, or a sentence (Enter: later)  `;
      continue;
    }
    if (!lacksWords(question, choice.option, choice.note)) return choice;
    const note = (await ask('your words  ')).trim();
    if (!lacksWords(question, choice.option, note)) return { ...choice, note };
  }
}

/** Null: it chooses nothing. The option may still lack the person's words. */
export function readChoice({ id: name, options }: Question, line: string): AnswerInput | null {
  const said = line.trim();
  const option = options.find(({ id }, index) => id === said || String(index + 1) === said);
  if (option !== undefined) return { name, option: option.id, note: '' };
  const own = TAKES_WORDS.map((id) => options.find((one) => one.id === id)).find((one) => one !== undefined);
  return own !== undefined && /\S\s+\S/.test(said) ? { name, option: own.id, note: said } : null;
}
