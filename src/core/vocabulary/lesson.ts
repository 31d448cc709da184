/** `MatchedLesson`, `lessonFor`: a lesson that a person approved and that matches this run, with the reason why. */
import { BLOCKERS } from './blockers/blocker.ts';
import type { IncidentClass } from './classes/incident-class.ts';
import type { Diagnosis } from './diagnosis.ts';
import { FAILURE_CLASSES } from './classes/failure-class.ts';

/** How a lesson was matched, the most specific way first. */
export const LESSON_MATCHES = [
  'fingerprint',
  'class',
  'paths',
  'command',
  'agent',
  'words',
  'repository',
] as const;
export type LessonMatch = (typeof LESSON_MATCHES)[number];

export interface MatchedLesson {
  readonly id: string;
  /** The hash of the approved content. */
  readonly hash: string;
  readonly title: string;
  readonly guidance: string;
  /** Where it was learned and which person approved it, in words. */
  readonly source: string;
  readonly match: LessonMatch;
  readonly why: string;
  readonly fingerprints: readonly string[];
  readonly classes: readonly string[];
}

export type ShownLesson = Pick<MatchedLesson, 'id' | 'hash' | 'match'>;

/** The fingerprint of a diagnosis that was not read from text. There is one for each class. */
export function observedFingerprint(incidentClass: IncidentClass): string {
  return `${incidentClass}:observed`;
}

const OBSERVED: ReadonlySet<string> = new Set(
  ([...Object.keys(FAILURE_CLASSES), ...Object.keys(BLOCKERS)] as IncidentClass[]).map(observedFingerprint),
);

export function isExactFingerprint(fingerprint: string): boolean {
  return !OBSERVED.has(fingerprint);
}

/**
 * True: the lesson applies to the incident. A lesson with fingerprints applies only to those causes, otherwise to every incident of its
 * classes.
 */
export function speaksOf(
  lesson: Pick<MatchedLesson, 'fingerprints' | 'classes'>,
  incident: { readonly class: string; readonly fingerprint: string | null },
): boolean {
  if (lesson.fingerprints.length > 0)
    return incident.fingerprint !== null && lesson.fingerprints.includes(incident.fingerprint);
  return lesson.classes.includes(incident.class);
}

export function lessonFor(
  lessons: readonly MatchedLesson[],
  incident: { readonly class: string; readonly diagnosis: Diagnosis | null },
): MatchedLesson | undefined {
  const seen = { class: incident.class, fingerprint: incident.diagnosis?.fingerprint ?? null };
  return lessons.find((lesson) => speaksOf(lesson, seen));
}
