/** `parseLessonFile`, `renderLessonFile`: a lesson as Markdown: front matter with what it is about, then the guidance. */
import { parse, stringify } from 'yaml';
import { Lesson } from './lesson.ts';
import { firstLine } from '../core/text/first-line.ts';
import { isJsonObject } from '../core/text/json.ts';
import { safeParse } from '../platform/safe-parse.ts';

const MAX_FILE_CHARS = 64 * 1024;
const FENCE = '---';

export type LessonFile =
  | { readonly type: 'lesson'; readonly lesson: Lesson }
  | { readonly type: 'broken'; readonly problem: string };

/** `name` is the file name without `.md`: a lesson without an id is called like its file. */
export function parseLessonFile(name: string, text: string): LessonFile {
  if (text.length > MAX_FILE_CHARS) return broken(`longer than ${MAX_FILE_CHARS} characters`);
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  if (lines[0]?.trim() !== FENCE) return broken('does not begin with a line `---` and front matter');
  const end = lines.findIndex((line, index) => index > 0 && line.trim() === FENCE);
  if (end === -1) return broken('the front matter has no end: a line `---` is missing');
  let head: unknown;
  try {
    head = parse(lines.slice(1, end).join('\n'), { maxAliasCount: 10 }) as unknown;
  } catch (error) {
    return broken(`the front matter is not YAML: ${firstLine((error as Error).message)}`);
  }
  if (!isJsonObject(head)) return broken('the front matter has no `key: value` lines');
  const guidance = lines.slice(end + 1).join('\n');
  const parsed = safeParse(Lesson, { id: name, ...head, guidance });
  if (parsed.success)
    return parsed.data.id === name
      ? { type: 'lesson', lesson: parsed.data }
      : broken(`its id is ${parsed.data.id}; the file should be called ${parsed.data.id}.md`);
  const issue = parsed.error.issues[0];
  return broken(`${issue?.path.join('.') || 'front matter'}: ${issue?.message ?? 'wrong'}`);
}

export function renderLessonFile(lesson: Lesson): string {
  const { guidance, ...head } = lesson;
  const kept = Object.fromEntries(
    Object.entries(head).filter(
      ([, value]) => value !== null && !(Array.isArray(value) && value.length === 0),
    ),
  );
  const learned = Object.fromEntries(Object.entries(lesson.learned).filter(([, value]) => value !== null));
  return `${FENCE}\n${stringify({ ...kept, learned }, { lineWidth: 0 })}${FENCE}\n\n${guidance}\n`;
}

function broken(problem: string): LessonFile {
  return { type: 'broken', problem };
}
