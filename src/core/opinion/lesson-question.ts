/**
 * `lessonQuestion`: asks for what a rescue taught, in plain words. Rules made the proposal, with what it is matched by and its proof; the
 * answer words it and names the evidence. It stays a proposal, which a person approves.
 */
import { checkLesson, type LessonAnswer, LESSON_CHARS } from './lesson-answer.ts';
import { type OpinionQuestion, promptOf, shorten } from './opinion-question.ts';
import { QUOTES_FORM, quotableText } from './quotes.ts';

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
  readonly statements: readonly string[];
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
  `  "title": what to know, at most ${LESSON_CHARS.title} characters,`,
  `  "guidance": one or two sentences of at most ${LESSON_CHARS.guidance} characters together: what to do, and why,`,
  `  "applies": one sentence of at most ${LESSON_CHARS.applies} characters: in which situation it holds, and where it does not,`,
  QUOTES_FORM,
  '  "confidence": a number from 0 to 1: how sure you are that it keeps the next agent out of this trouble',
];

/** The longest parts together leave room for what is asked. */
const PART_CHARS = 1_000;
const TEXT_CHARS = 500;

/** `lesson`: the id of the proposal. `markOf`: a mark from the texts. */
export function lessonQuestion(
  rescue: RescueRecord,
  lesson: string,
  markOf: (...texts: readonly string[]) => string,
): OpinionQuestion<LessonAnswer> {
  const texts = partsOf(rescue)
    .flatMap(([title, all, whose]) => all.map((text) => ({ title, text, whose })))
    .filter(({ text }) => text.trim() !== '')
    .map((one, entry) => ({ ...one, entry }));
  const entries = texts.map((one) => ({ ...one, text: quotableText(one.text) }));
  const foreign = entries.filter(({ whose }) => whose !== 'ours');
  const prompt = promptOf({
    task: ASKED,
    facts: [`The trouble was of the class ${rescue.class.replaceAll('_', ' ')}.`],
    material: [...Map.groupBy(texts, ({ title }) => title)].map(([title, part]) => ({
      title,
      text: shorten(
        part.map(({ entry, text }) => `[${entry}] ${shorten(text, TEXT_CHARS)}`).join('\n'),
        PART_CHARS,
      ),
    })),
    form: FORM,
    mark: markOf(...texts.map(({ text }) => text)),
  });
  return { kind: 'lesson', prompt, check: (reply) => checkLesson(reply, { lesson, entries, foreign }) };
}

/** `ours`: words of a person or of Mayday, which a lesson may say again. */
type Part = readonly [title: string, texts: readonly string[], whose?: 'ours'];

function partsOf(rescue: RescueRecord): readonly Part[] {
  return [
    ['The task', [rescue.task], 'ours'],
    ['What failed', [rescue.rootCause]],
    ['What was printed then', rescue.evidence],
    ['Calls that failed', rescue.failedCalls],
    ['What a person said', rescue.notes, 'ours'],
    ['What was done about it', rescue.did, 'ours'],
    ['What the agent that got past it said, which nobody checked', rescue.statements],
    ['The files of the work that was kept', rescue.changed],
    ['The first lines of its diff', [rescue.diff.join('\n')]],
    ['What proves that it got on', [rescue.proof]],
  ];
}
