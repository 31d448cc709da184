/**
 * `proposeLesson`: what a rescued incident taught, as a proposal: what failed, what fixed it, the proof. It reaches no other run before a
 * person approved it, and text of programs stays quoted data.
 */
import { normalisedCause } from '../core/diagnose/fingerprint.ts';
import { isExactFingerprint } from '../core/vocabulary/lesson.ts';
import { tellingArgument } from '../core/view/activity.ts';
import { quoteFenced } from '../core/text/quote-fenced.ts';
import { cleanOneLine, cleanText, quoted } from './clean-text.ts';
import { Lesson, lessonId, MAX_TITLE_CHARS } from './lesson.ts';

const MAX_QUOTE_CHARS = 300;
const MAX_COMMANDS = 3;
const MAX_COMMAND_CHARS = 60;
const MAX_NOTE_CHARS = 1_500;

export interface Rescued {
  readonly runId: string;
  readonly incident: string;
  readonly class: string;
  readonly fingerprint: string | null;
  readonly rootCause: string;
  readonly evidence: readonly string[];
  /** Calls that were repeated, failed or denied. */
  readonly commands: readonly string[];
  /** A person's own words in this incident, oldest first. */
  readonly notes: readonly string[];
  /** What Mayday did, in words. */
  readonly did: readonly string[];
  readonly proof: string;
  readonly at: number;
  readonly by: string;
}

/** `mark`: chosen by chance now; stands around what programs said in the title. */
export function proposeLesson(rescued: Rescued, mark: string): Lesson {
  const { runId, incident, rootCause, notes, did, evidence } = rescued;
  const exact =
    rescued.fingerprint !== null && isExactFingerprint(rescued.fingerprint) ? rescued.fingerprint : null;
  const words = rescued.class.replaceAll('_', ' ');
  const cause = cleanOneLine(rootCause).replaceAll('`', "'").replace(/\.+$/, '');
  const room = MAX_TITLE_CHARS - `${words}: ${quoteFenced('', mark)}…`.length;
  const title = `${words}: ${quoteFenced(cause, mark, room)}`;
  const advice = notes.map((note) => cleanText(note).slice(0, MAX_NOTE_CHARS)).filter(Boolean);
  const guidance = [
    ...advice,
    `What failed: ${quoted(cause, MAX_QUOTE_CHARS)} (${rescued.class}).`,
    ...evidence.slice(0, 2).map((line) => `Seen: ${quoted(tellingArgument(line), MAX_QUOTE_CHARS)}`),
    ...(did.length === 0
      ? []
      : [
          `What fixed it: ${did
            .map((step) => cleanOneLine(step).replace(/\.+$/, ''))
            .join('; ')
            .slice(0, 600)}.`,
        ]),
    `Proof: ${quoted(rescued.proof, MAX_QUOTE_CHARS)}.`,
  ].join('\n');
  return Lesson.parse({
    id: lessonId(words, exact ?? `${rescued.class}\n${normalisedCause(rootCause)}`),
    title,
    guidance,
    classes: [rescued.class],
    fingerprints: exact === null ? [] : [exact],
    commands: [...new Set(rescued.commands.map(cleanOneLine))].filter(isKey).slice(0, MAX_COMMANDS),
    learned: {
      run: runId,
      incident,
      by: rescued.by,
      at: new Date(rescued.at).toISOString(),
      proof: cleanOneLine(rescued.proof).slice(0, MAX_QUOTE_CHARS),
    },
  });
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
