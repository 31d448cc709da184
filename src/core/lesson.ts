/** A lesson as the core sees it: approved by a person, found to match this run, with the reason why. */
import type { Incident } from './run-state.ts';

/** How a lesson was found, most telling first. */
export const LESSON_MATCHES = ['fingerprint', 'class', 'paths', 'agent', 'words', 'repository'] as const;
export type LessonMatch = (typeof LESSON_MATCHES)[number];

export interface MatchedLesson {
  readonly id: string;
  /** Of the approved content. */
  readonly hash: string;
  readonly title: string;
  readonly guidance: string;
  /** Where it was learned and who approved it, in words. */
  readonly source: string;
  readonly match: LessonMatch;
  readonly why: string;
  readonly fingerprints: readonly string[];
  readonly classes: readonly string[];
}

export interface ShownLesson {
  readonly id: string;
  readonly hash: string;
  readonly match: LessonMatch;
}

/** A diagnosis from what Mayday saw, not from a message, names no cause more exactly than its class does. */
export function isExactFingerprint(fingerprint: string): boolean {
  return !fingerprint.endsWith(':observed');
}

/** What a lesson speaks about: with fingerprints only those causes, otherwise every incident of its classes. */
export function speaksOf(
  lesson: Pick<MatchedLesson, 'fingerprints' | 'classes'>,
  incident: { readonly class: string; readonly fingerprint: string | null },
): boolean {
  if (lesson.fingerprints.length > 0)
    return incident.fingerprint !== null && lesson.fingerprints.includes(incident.fingerprint);
  return lesson.classes.includes(incident.class);
}

export function lessonFor(lessons: readonly MatchedLesson[], incident: Incident): MatchedLesson | undefined {
  const seen = { class: incident.class, fingerprint: incident.diagnosis?.fingerprint ?? null };
  return lessons.find((lesson) => speaksOf(lesson, seen));
}
