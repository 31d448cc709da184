/**
 * `proposeLesson`: what a rescued incident taught, as a proposal: what helped as its title, then what failed, what was done, when to apply
 * it, the proof. It reaches no other run before a person approved it, and text of programs stays quoted data.
 * `alreadyKnown`: whether there is one about the same cause.
 */
import { normalisedCause } from '../core/diagnose/fingerprint.ts';
import type { LessonAnswer } from '../core/opinion/lesson-answer.ts';
import type { RescueRecord } from '../core/opinion/lesson-question.ts';
import type { Opinion } from '../core/vocabulary/opinion.ts';
import { isExactFingerprint } from '../core/vocabulary/lesson.ts';
import { counted } from '../core/text/counted.ts';
import { tellingArgument } from '../core/view/activity.ts';
import { quoteFenced } from '../core/text/quote-fenced.ts';
import { cleanOneLine, cleanText, quoted, quotedWords } from './clean-text.ts';
import { Lesson, lessonId, MAX_TITLE_CHARS } from './lesson.ts';

const MAX_QUOTE_CHARS = 300;
const MAX_COMMANDS = 3;
const MAX_FILES = 5;
const MAX_STEP_CHARS = 400;
const MAX_COMMAND_CHARS = 60;
const MAX_NOTE_CHARS = 1_500;
const MAX_OPINION_CHARS = 400;

export interface Rescued extends RescueRecord {
  readonly runId: string;
  readonly incident: string;
  readonly fingerprint: string | null;
  /** Calls that were repeated, failed or denied. */
  readonly commands: readonly string[];
  readonly at: number;
  readonly by: string;
}

/**
 * `mark`: chosen by chance now; stands around the quoted part of the title, which is never an instruction. `opinion`: the same in a model's
 * words; it changes neither the name of the lesson nor what it is matched by.
 */
export function proposeLesson(rescued: Rescued, mark: string, opinion: Opinion<LessonAnswer> | null): Lesson {
  const { runId, incident, rootCause, notes, did, evidence, statements, changed } = rescued;
  const exact =
    rescued.fingerprint !== null && isExactFingerprint(rescued.fingerprint) ? rescued.fingerprint : null;
  const answered = opinion === null ? [] : [opinion];
  const words = rescued.class.replaceAll('_', ' ');
  const cause = sentenceOf(rootCause);
  const advice = notes.map((note) => cleanText(note).slice(0, MAX_NOTE_CHARS)).filter(Boolean);
  const found = statements.map(sentenceOf).filter((text) => text !== '');
  const [opening, told] =
    opinion === null
      ? titleParts(words, advice.map(sentenceOf)[0], found[0], cause)
      : [`${words}, opinion of ${sentenceOf(opinion.by)}: `, sentenceOf(opinion.answer.title)];
  const room = MAX_TITLE_CHARS - `${opening}${quoteFenced('', mark)}…`.length;
  const title = `${opening}${quoteFenced(told, mark, room)}`;
  const commands = [...new Set(rescued.commands.map(cleanOneLine))].filter(isKey).slice(0, MAX_COMMANDS);
  // A call that the cause names already says nothing more.
  const seen = evidence.map(tellingArgument).filter((line) => !cause.includes(sentenceOf(line)));
  const output = opinion === null ? seen.slice(0, 2).map((line) => quoted(line, MAX_QUOTE_CHARS)) : [];
  const fixed = [
    ...did.map((step) => cleanOneLine(step).replace(/\.+$/, '').slice(0, MAX_STEP_CHARS)),
    ...(found[0] === undefined || opinion !== null
      ? []
      : [`the agent then said (not checked) ${quotedWords(found[0], MAX_QUOTE_CHARS)}`]),
    ...(changed.length === 0 ? [] : [`the work that passed changed ${filesOf(changed)}`]),
  ];
  const opinionLines = answered.flatMap(({ by, answer }) => [
    `Opinion of ${sentenceOf(by)}: ${quotedWords(answer.guidance, MAX_OPINION_CHARS)} It may be wrong.`,
    `Where it applies: by that opinion ${quotedWords(answer.applies, MAX_OPINION_CHARS)}.`,
  ]);
  // At the end, which a brief leaves out first: an agent needs the advice more than the evidence.
  const restsOn = answered.map(({ quotes }) => {
    const texts = quotes.map(({ text }) => quotedWords(text, MAX_QUOTE_CHARS));
    return `Opinion rests on: ${texts.join(', ')}, found in the record.`;
  });
  const quotedCommands = commands.map((one) => quoted(one, MAX_COMMAND_CHARS)).join(' or ');
  const guidance = [
    ...advice,
    ...opinionLines,
    `What failed: ${quotedWords(cause, MAX_QUOTE_CHARS)}${output.length === 0 ? '' : `; seen: ${output.join(', ')}`}.`,
    ...(fixed.length === 0 ? [] : [`What was done: ${fixed.join('; ')}.`]),
    `When to apply: when a run meets ${words}${commands.length === 0 ? '' : ` or runs ${quotedCommands}`}.`,
    // It proves that the run got on, not that the explanation is right.
    `Proof of delivery: ${quotedWords(rescued.proof, MAX_QUOTE_CHARS)}.`,
    ...restsOn,
  ].join('\n');
  return Lesson.parse({
    id: lessonId(words, exact ?? `${rescued.class}\n${normalisedCause(rootCause)}`),
    title,
    guidance,
    classes: [rescued.class],
    fingerprints: exact === null ? [] : [exact],
    commands,
    learned: {
      run: runId,
      incident,
      by: rescued.by,
      at: new Date(rescued.at).toISOString(),
      proof: cleanOneLine(rescued.proof).slice(0, MAX_QUOTE_CHARS),
    },
  });
}

/** A person's words helped, by the record. What the agent says of its own work is its explanation, which no check proved. */
function titleParts(
  words: string,
  advised: string | undefined,
  said: string | undefined,
  cause: string,
): readonly [opening: string, told: string] {
  if (advised !== undefined && advised !== '') return [`${words}, this helped: `, advised];
  return said === undefined
    ? [`${words}: `, cause]
    : [`${words}, the agent's own explanation (not checked): `, said];
}

/** One line that cannot end the quotation it stands in. */
function sentenceOf(text: string): string {
  return cleanOneLine(text).replaceAll('`', "'").replace(/\.+$/, '');
}

function filesOf(files: readonly string[]): string {
  const named = files.slice(0, MAX_FILES).map((file) => quoted(file, MAX_QUOTE_CHARS));
  const left = files.length - named.length;
  return `${named.join(', ')}${left > 0 ? ` and ${counted(left, 'more file')}` : ''}`;
}

/** A long command line is one of a kind: no other run would match it. */
function isKey(command: string): boolean {
  return command !== '' && command.length <= MAX_COMMAND_CHARS;
}

/** Whether a lesson about the same cause exists, also a rejected one: it is not proposed again. */
export function alreadyKnown(draft: Lesson, known: readonly Pick<Lesson, 'id' | 'fingerprints'>[]): boolean {
  return known.some(
    ({ id, fingerprints }) =>
      id === draft.id || draft.fingerprints.some((fingerprint) => fingerprints.includes(fingerprint)),
  );
}
