/** `contextPacket`: the lessons that a brief carries: the best matches that fit the token budget, each with its source and its reason. */
import type { MatchedLesson } from '../core/vocabulary/lesson.ts';
import { sourceOf } from './lesson.ts';
import { type Match, type Matchable, matchLessons, type Situation } from './match-lessons.ts';

/** Half of a brief, enough for one long lesson: lessons must not push out what happened. */
export const PACKET_TOKENS = 350;
const CHARS_PER_TOKEN = 4;
/** Marks, source line and title around each lesson. */
const FRAME_CHARS = 120;
const MAX_GUIDANCE_CHARS = 1_200;
const MAX_LESSONS = 6;
/** What fits only because it is about the repository must not become noise. */
const MAX_GENERAL = 2;

export interface Approved extends Matchable {
  readonly hash: string;
  readonly approvedBy: string;
}

export interface Packet {
  readonly lessons: readonly MatchedLesson[];
  readonly leftOut: readonly { readonly id: string; readonly why: string }[];
}

export function contextPacket(approved: readonly Approved[], situation: Situation): Packet {
  let left = PACKET_TOKENS * CHARS_PER_TOKEN;
  let general = 0;
  const lessons: MatchedLesson[] = [];
  const leftOut: { id: string; why: string }[] = [];
  for (const found of matchLessons(approved, situation)) {
    const { lesson } = found.item;
    const size = lesson.title.length + Math.min(lesson.guidance.length, MAX_GUIDANCE_CHARS) + FRAME_CHARS;
    const why =
      lessons.length >= MAX_LESSONS
        ? `${MAX_LESSONS} better ones were taken`
        : found.match === 'repository' && general >= MAX_GENERAL
          ? `${MAX_GENERAL} general ones were taken`
          : size > left
            ? 'the token budget was used up by better ones'
            : null;
    if (why !== null) {
      leftOut.push({ id: lesson.id, why });
      continue;
    }
    left -= size;
    if (found.match === 'repository') general += 1;
    lessons.push(matched(found));
  }
  return { lessons, leftOut };
}

function matched({ item, match, why }: Match<Approved>): MatchedLesson {
  const { lesson, hash, approvedBy } = item;
  return {
    id: lesson.id,
    hash,
    title: lesson.title,
    guidance: lesson.guidance.slice(0, MAX_GUIDANCE_CHARS),
    source: `${sourceOf(lesson)}, approved by ${approvedBy}`,
    match,
    why,
    fingerprints: lesson.fingerprints,
    classes: lesson.classes,
  };
}
