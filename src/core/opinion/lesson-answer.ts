/**
 * `checkLesson`: what the record holds of an answer to `lesson`: quotations in the texts that it names. Its words are the model's own, in
 * plain sentences: a command line, markup, or a sentence that stands in the record is refused, because a later agent may read them.
 */
import { type Role, roleOfProgram } from '../lexicon/programs.ts';
import type { CheckedAnswer } from '../vocabulary/opinion.ts';
import { isCopied, QUOTES, quotesHeld, type RecordEntry } from './quotes.ts';
import { readForm, sentence, share } from './reply.ts';

export interface LessonAnswer {
  /** The id of the proposal, which the model does not choose. */
  readonly lesson: string;
  readonly title: string;
  readonly guidance: string;
  /** Where it applies. */
  readonly applies: string;
}

export const LESSON_CHARS = { title: 60, guidance: 400, applies: 200 };
const MAX_SENTENCES = 2;

/** What stands in command lines, markup and links, and not in a plain sentence. */
const NOT_PLAIN = /[`<>|\\{}#*$~^;]|&&|:\/\/|(?:^|\s)--?[a-z]|\b(?:sudo|rm|chmod|eval)\b/i;
/** A name in small letters with something behind it, where a sentence begins or something is to be run. */
const CALLED = /(?:^|[.!?:] |\b(?:run|execute|type|enter) )([a-z][\w.-]*) \S/g;
const CALLABLE: ReadonlySet<Role> = new Set(['git', 'http', 'package', 'remote', 'container', 'database']);

/** `foreign`: the texts of programs and agents, of which no sentence may be said again. */
export function checkLesson(
  reply: unknown,
  asked: { lesson: string; entries: readonly RecordEntry[]; foreign: readonly RecordEntry[] },
): CheckedAnswer<LessonAnswer> | string {
  const read = readForm(reply, {
    title: sentence(LESSON_CHARS.title),
    guidance: sentence(LESSON_CHARS.guidance),
    applies: sentence(LESSON_CHARS.applies),
    quotes: QUOTES,
    confidence: share,
  });
  if (typeof read === 'string') return read;
  const { quotes: claimed, confidence, ...words } = read;
  if (sentencesOf(words.guidance).length > MAX_SENTENCES) return 'the guidance is longer than two sentences';
  for (const [name, text] of Object.entries(words)) {
    if (text === '') return `the ${name} is empty`;
    if (!isPlain(text)) return `the ${name} holds a command line, markup or a link: say it in plain words`;
    if (sentencesOf(text).some((each) => isCopied(each, asked.foreign)))
      return `the ${name} is a copy of the material`;
  }
  const held = quotesHeld(asked.entries, claimed);
  if (typeof held === 'string') return held;
  const answer = { lesson: asked.lesson, ...words };
  return { answer, ...held, confidence: (confidence * held.quotes.length) / claimed.length };
}

function sentencesOf(text: string): readonly string[] {
  return text.split(/(?<=[.!?])\s+(?=\p{Lu})/u);
}

function isPlain(text: string): boolean {
  if (NOT_PLAIN.test(text)) return false;
  return ![...text.matchAll(CALLED)].some(([, name = '']) => CALLABLE.has(roleOfProgram(name)));
}
