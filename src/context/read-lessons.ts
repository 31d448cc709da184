/** `readLessons`: reads the lesson files of a checkout; unchanged files are not read again. */
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readPlainFile } from '../platform/file/plain-file.ts';
import type { Lesson } from './lesson.ts';

/** Beyond this the folder is something else. */
const MAX_FILES = 10_000;
/** A lesson is a page of text. */
const MAX_BYTES = 1024 * 1024;

export interface ReadLessons {
  readonly changed: readonly { readonly lesson: Lesson; readonly stamp: string }[];
  /** Ids of files that are as they were. */
  readonly unchanged: readonly string[];
  readonly problems: readonly { readonly file: string; readonly problem: string }[];
}

export function contextFolder(repository: string): string {
  return join(repository, '.mayday', 'context');
}

/** `known`: the stamp of each lesson that was read before. */
export async function readLessons(
  repository: string,
  known: ReadonlyMap<string, string>,
): Promise<ReadLessons> {
  const folder = contextFolder(repository);
  const changed: { lesson: Lesson; stamp: string }[] = [];
  const unchanged: string[] = [];
  const problems: { file: string; problem: string }[] = [];
  const names = list(folder, problems);
  for (const file of names.slice(0, MAX_FILES)) {
    const name = file.slice(0, -'.md'.length);
    try {
      const path = join(folder, file);
      const found = lstatSync(path);
      // A link could point at any file of this machine and bring it into briefs.
      if (!found.isFile()) {
        problems.push({ file, problem: 'is no plain file' });
        continue;
      }
      const stamp = `${found.mtimeMs}:${found.size}:${found.ino}`;
      if (known.get(name) === stamp) {
        unchanged.push(name);
        continue;
      }
      const { parseLessonFile } = await import('./lesson-file.ts');
      const text = readPlainFile(path, MAX_BYTES);
      const read =
        text.type === 'text'
          ? parseLessonFile(name, text.text)
          : { type: 'wrong' as const, problem: text.type === 'refused' ? text.why : 'is gone' };
      if (read.type === 'lesson') changed.push({ lesson: read.lesson, stamp });
      else problems.push({ file, problem: read.problem });
    } catch (error) {
      problems.push({ file, problem: (error as NodeJS.ErrnoException).code ?? String(error) });
    }
  }
  if (names.length > MAX_FILES)
    problems.push({
      file: folder,
      problem: `only the first ${MAX_FILES} of ${names.length} files were read`,
    });
  return { changed, unchanged, problems };
}

function list(folder: string, problems: { file: string; problem: string }[]): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.md') && !name.startsWith('.') && name.toLowerCase() !== 'readme.md')
      .toSorted();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTDIR')
      problems.push({ file: folder, problem: code ?? String(error) });
    return [];
  }
}
