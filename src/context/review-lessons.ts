/** `contradictions`, `staleLessons`: lessons that a person should review: they contradict each other, or are about paths that are gone. */
import { matchesAny } from '../core/text/glob.ts';
import type { Lesson } from './lesson.ts';

// biome-ignore format: words stand together
const NEGATIONS = new Set([
  'not', 'never', 'no', 'avoid', 'without', 'dont',
  "don't",
  'stop',
  'instead',
  'disable',
]);
const FILLERS = new Set(
  `
  the a an and or of to in on for with is are be it this that use using always must should do run when before after by
  from as at your you lesson what failed fixed proof seen`
    .trim()
    .split(/\s+/),
);
/** Two lessons that share so much of their words speak of the same thing. */
const SAME_TOPIC = 0.5;
/** Each pair is compared: more lessons than this about one class are compared among the first. */
const MAX_PER_KEY = 200;

export interface Contradiction {
  readonly a: string;
  readonly b: string;
  readonly about: string;
}

/** Same cause or class, mostly the same words, and only one of them says no. A hint for a person, never an action. */
export function contradictions(lessons: readonly Lesson[]): Contradiction[] {
  const byKey = Map.groupBy(
    lessons.flatMap((lesson) => keysOf(lesson).map((key) => ({ key, lesson }))),
    ({ key }) => key,
  );
  const found = new Map<string, Contradiction>();
  for (const [key, group] of byKey) {
    const read = group.slice(0, MAX_PER_KEY).map(({ lesson }) => ({ lesson, ...readGuidance(lesson) }));
    for (const [index, one] of read.entries()) {
      for (const other of read.slice(index + 1)) {
        if (one.negative === other.negative || !meet(one.lesson, other.lesson)) continue;
        if (similarity(one.words, other.words) < SAME_TOPIC) continue;
        found.set(`${one.lesson.id} ${other.lesson.id}`, {
          a: one.lesson.id,
          b: other.lesson.id,
          about: key,
        });
      }
    }
  }
  return [...found.values()];
}

export function staleLessons(lessons: readonly Lesson[], files: readonly string[]): Lesson[] {
  return lessons.filter(({ paths }) => paths.length > 0 && !files.some((file) => matchesAny(file, paths)));
}

function keysOf({ fingerprints, classes, paths }: Lesson): string[] {
  const keys = [...fingerprints, ...classes, ...paths];
  return keys.length > 0 ? keys : ['the repository'];
}

function meet(a: Lesson, b: Lesson): boolean {
  return a.agents.length === 0 || b.agents.length === 0 || a.agents.some((agent) => b.agents.includes(agent));
}

function readGuidance({ title, guidance }: Lesson) {
  const all = `${title} ${guidance}`.toLowerCase().match(/[\p{L}\p{N}_'./-]+/gu) ?? [];
  return {
    negative: all.some((word) => NEGATIONS.has(word)),
    words: new Set(all.filter((word) => !NEGATIONS.has(word) && !FILLERS.has(word) && word.length > 1)),
  };
}

function similarity(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = [...a].filter((word) => b.has(word)).length;
  const smaller = Math.min(a.size, b.size);
  return smaller === 0 ? 0 : shared / smaller;
}
