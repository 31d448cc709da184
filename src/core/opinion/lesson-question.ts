/**
 * `lessonQuestion`: asks for what a rescue taught, in plain words. Rules made the proposal, with what it is matched by and its proof; the
 * answer words it and names the evidence. It stays a proposal, which a person approves.
 */
import {
  APPLIES_CHARS,
  checkLesson,
  GUIDANCE_CHARS,
  type LessonAnswer,
  TITLE_CHARS,
} from './lesson-answer.ts';
import { type OpinionQuestion, promptOf, shorten } from './opinion-question.ts';
import { quotableText, QUOTES_FORM } from './quotes.ts';

/** What the record holds of a rescue. All of it redacted. */
export interface RescueRecord {
  readonly task: string;
  readonly class: string;
  readonly rootCause: string;
  readonly evidence: readonly string[];
  /** Each with its result. */
  readonly failedCalls: readonly string[];
  /** A person's own words in this incident, oldest first. */
  readonly notes: readonly string[];
  /** What Mayday did, in words. */
  readonly did: readonly string[];
  /** What the agent that got past it said it had found or done, the newest first: claims. */
  readonly said: readonly string[];
  /** The files of the work that passed. */
  readonly changed: readonly string[];
  /** The first lines of their diff. */
  readonly diff: readonly string[];
  readonly proof: string;
}

const ASKED: readonly string[] = [
  'A coding agent got into trouble, was helped, and came to an end with work that was kept. Each text below is numbered [n]. What ' +
    'should the next agent know that meets the same in this repository, so that it does not get into the same trouble?',
  'Say what holds beyond this one run: what is so here, what to do instead, and why. Name the file, package, service or setting by its ' +
    'name. What a person said outranks what an agent claims of its own work; what no text shows is not so.',
  'In your own words and plain sentences: no command line, no markup, no link, no semicolon. Name a program, do not write how it is typed.',
];

const FORM: readonly string[] = [
  `  "title": what to know, at most ${TITLE_CHARS} characters,`,
  `  "guidance": one or two sentences of at most ${GUIDANCE_CHARS} characters together: what to do, and why,`,
  `  "applies": one sentence of at most ${APPLIES_CHARS} characters: in which situation it holds, and where it does not,`,
  QUOTES_FORM,
  '  "confidence": a number from 0 to 1: how sure you are that it keeps the next agent out of this trouble',
];

/** The longest parts together leave room for what is asked. */
const PART_CHARS = 1_000;
const TEXT_CHARS = 500;

/** `lesson`: the id of the proposal. */
export function lessonQuestion(
  rescue: RescueRecord,
  lesson: string,
  mark: string,
): OpinionQuestion<LessonAnswer> {
  const parts = partsOf(rescue);
  const texts = parts.flatMap(({ texts: of, isOurs }) => of.map((text) => ({ text, isOurs })));
  const entries = texts.map(({ text }, entry) => ({ entry, text: quotableText(text) }));
  const record = { entries, foreign: entries.filter(({ entry }) => texts[entry]?.isOurs !== true) };
  let entry = 0;
  const material = parts.map(({ title, texts: of }) => ({
    title,
    text: shorten(of.map((text) => `[${entry++}] ${shorten(text, TEXT_CHARS)}`).join('\n'), PART_CHARS),
  }));
  const prompt = promptOf({
    task: ASKED,
    facts: [`The trouble was of the class ${rescue.class.replaceAll('_', ' ')}.`],
    material,
    form: FORM,
    mark,
  });
  return { kind: 'lesson', prompt, check: (reply) => checkLesson(reply, lesson, record) };
}

/** What a mark is made from. */
export function lessonTexts(rescue: RescueRecord): readonly string[] {
  return partsOf(rescue).flatMap(({ texts }) => texts);
}

interface Part {
  readonly title: string;
  readonly texts: readonly string[];
  /** Words of a person or of Mayday, which a lesson may say again. */
  readonly isOurs?: boolean;
}

function partsOf(rescue: RescueRecord): readonly Part[] {
  const all: readonly Part[] = [
    { title: 'The task', texts: [rescue.task], isOurs: true },
    { title: 'What failed', texts: [rescue.rootCause] },
    { title: 'What was printed then', texts: rescue.evidence },
    { title: 'Calls that failed', texts: rescue.failedCalls },
    { title: 'What a person said', texts: rescue.notes, isOurs: true },
    { title: 'What was done about it', texts: rescue.did, isOurs: true },
    { title: 'What the agent that got past it said, which nobody checked', texts: rescue.said },
    { title: 'The files of the work that was kept', texts: rescue.changed },
    { title: 'The first lines of its diff', texts: [rescue.diff.join('\n')] },
    { title: 'What proves that it got on', texts: [rescue.proof] },
  ];
  return all.map((part) => ({ ...part, texts: part.texts.filter((text) => text.trim() !== '') }));
}
