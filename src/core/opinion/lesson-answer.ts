/**
 * `checkLesson`: what the record holds of an answer to `lesson`: quotations in the texts that it names. Its words are the model's own, in
 * plain sentences: a command line, markup, or a sentence that stands in the record is refused, because a later agent may read them.
 */
import { type Role, roleOfProgram } from '../lexicon/programs.ts';
import type { CheckedAnswer } from '../vocabulary/opinion.ts';
import { isCopied, NO_QUOTE, QUOTES, quotesHeld, type RecordEntry } from './quotes.ts';
import { readForm, sentence, share } from './reply.ts';

export interface LessonAnswer {
  /** The id of the proposal, which the model does not choose. */
  readonly lesson: string;
  readonly title: string;
  readonly guidance: string;
  /** Where it applies. */
  readonly applies: string;
}

export interface RescueTexts {
  readonly entries: readonly RecordEntry[];
  /** Those of programs and agents: their sentences may not be said again. */
  readonly foreign: readonly RecordEntry[];
}

export const TITLE_CHARS = 60;
export const GUIDANCE_CHARS = 400;
export const APPLIES_CHARS = 200;
const MAX_SENTENCES = 2;

const FORM = {
  title: sentence(TITLE_CHARS),
  guidance: sentence(GUIDANCE_CHARS),
  applies: sentence(APPLIES_CHARS),
  quotes: QUOTES,
  confidence: share,
};

/** What stands in command lines, markup and links, and not in a plain sentence. */
const NOT_PLAIN = /[`<>|\\{}#*$~^;]|&&|:\/\/|(?:^|\s)--?[a-z]|\b(?:sudo|rm|chmod|eval)\b/i;
/** A name in small letters with something behind it, where a sentence begins or something is to be run. */
const CALLED = /(?:^|[.!?:] |\b(?:run|execute|type|enter) )([a-z][\w.-]*) \S/g;
const CALLABLE: ReadonlySet<Role> = new Set(['git', 'http', 'package', 'remote', 'container', 'database']);

export function checkLesson(
  reply: unknown,
  lesson: string,
  { entries, foreign }: RescueTexts,
): CheckedAnswer<LessonAnswer> | string {
  const read = readForm(reply, FORM);
  if (typeof read === 'string') return read;
  const { title, guidance, applies, confidence } = read;
  if (sentencesOf(guidance).length > MAX_SENTENCES) return 'the guidance is longer than two sentences';
  for (const [name, text] of Object.entries({ title, guidance, applies })) {
    if (text === '') return `the ${name} is empty`;
    if (!isPlain(text)) return `the ${name} holds a command line, markup or a link: say it in plain words`;
    if (sentencesOf(text).some((each) => isCopied(each, foreign)))
      return `the ${name} is a copy of the material`;
  }
  const { quotes, checked } = quotesHeld(entries, read.quotes);
  if (quotes.length === 0) return NO_QUOTE;
  return {
    answer: { lesson, title, guidance, applies },
    quotes,
    checked,
    confidence: (confidence * quotes.length) / checked.length,
  };
}

function sentencesOf(text: string): readonly string[] {
  return text.split(/(?<=[.!?])\s+(?=\p{Lu})/u);
}

function isPlain(text: string): boolean {
  if (NOT_PLAIN.test(text)) return false;
  return ![...text.matchAll(CALLED)].some(([, name = '']) => CALLABLE.has(roleOfProgram(name)));
}
