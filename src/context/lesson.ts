/**
 * `Lesson`: an entry of the Context Index. Its original is a Markdown file in `.mayday/context/` of the repository, or a proposal in the
 * record. The status in the file does not count: approval is a ledger record bound to the hash of everything an agent would read or be
 * matched by. `lessonHash`, `lessonId`, `sourceOf`: its hash, its name, where it was learned.
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { cleanOneLine, cleanText } from './clean-text.ts';

export const MAX_TITLE_CHARS = 120;
/** A lesson that needs more is documentation: it should name the file to read. */
export const MAX_GUIDANCE_CHARS = 4_000;
const MAX_KEYS = 50;
const MAX_KEY_CHARS = 200;

const Line = z.string().max(2_000).transform(cleanOneLine);
const KeyList = z.array(Line.pipe(z.string().min(1).max(MAX_KEY_CHARS))).max(MAX_KEYS);
const Keys = KeyList.default([]);

export const Lesson = z.strictObject({
  id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,79}$/, 'small letters, digits and hyphens, at most 80'),
  title: Line.pipe(z.string().min(1).max(MAX_TITLE_CHARS)),
  guidance: z.string().max(100_000).transform(cleanText).pipe(z.string().min(1).max(MAX_GUIDANCE_CHARS)),
  /** Causes it is about, exactly. An empty list, here and below: it is about all. */
  fingerprints: Keys,
  classes: Keys,
  paths: Keys,
  agents: Keys,
  words: Keys,
  /** Tools and beginnings of command lines it is about; absent in lessons of older versions. */
  commands: KeyList.optional(),
  learned: z
    .strictObject({
      run: Line.nullable().default(null),
      incident: Line.nullable().default(null),
      by: Line.default('a person'),
      at: Line.nullable().default(null),
      proof: Line.nullable().default(null),
    })
    .default({ run: null, incident: null, by: 'a person', at: null, proof: null }),
  /** Read only to tell a person that a file claims an approval. */
  status: z.enum(['proposed', 'approved', 'rejected', 'revoked', 'retired']).default('proposed'),
  /** Day after which it is no longer shown. */
  expires: z.string().refine(isDay, 'a day as YYYY-MM-DD').nullable().default(null),
});
export type Lesson = z.infer<typeof Lesson>;

function isDay(text: string): boolean {
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

/** Covers all but the status, in a fixed order: editing one word of an approved lesson makes it a proposal again. */
export function lessonHash(lesson: Lesson): string {
  const { id, title, guidance, commands = [], expires } = lesson;
  const { run, incident, by, at, proof } = lesson.learned;
  const about = [lesson.fingerprints, lesson.classes, lesson.paths, lesson.agents, lesson.words];
  const content = [id, title, guidance, ...about, expires];
  // Lessons that were approved before there were commands keep their hash.
  const later = commands.length === 0 ? [] : [commands];
  return createHash('sha256')
    .update(JSON.stringify(['mayday-lesson-1', ...content, run, incident, by, at, proof, ...later]))
    .digest('hex');
}

/** A name to say and to find: some words and a few characters that tell two of them apart. */
export function lessonId(words: string, key: string): string {
  const name = words
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 48)
    .replace(/-+$/, '');
  const tail = createHash('sha256').update(key).digest('hex').slice(0, 6);
  return name === '' ? `lesson-${tail}` : `${name}-${tail}`;
}

export function sourceOf({ id, learned }: Lesson): string {
  const from = learned.run === null ? `written by ${learned.by}` : `learned in run ${learned.run}`;
  return `lesson ${id}, ${from}${learned.at === null ? '' : ` on ${learned.at.slice(0, 10)}`}`;
}
