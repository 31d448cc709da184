/** `lessonRows`: the lessons of a repository with their standing and what became of them, as every door tells them. */
import { efficacyOf } from '../context/efficacy.ts';
import type { RunRecord } from '../record/contract.ts';
import type { IndexedLesson } from '../supervise/lessons/lesson-index.ts';
import { latestRuns } from '../supervise/lessons/latest-runs.ts';

export type LessonRow = Awaited<ReturnType<typeof lessonRows>>[number];

export async function lessonRows(record: RunRecord, repository: string, lessons: readonly IndexedLesson[]) {
  const runs = await latestRuns(record, repository);
  return lessons.map(({ lesson, hash, origin, standing }) => {
    const efficacy = efficacyOf(lesson, runs);
    const {
      id,
      title,
      classes,
      fingerprints,
      paths,
      agents,
      words,
      commands = [],
      expires,
      learned,
    } = lesson;
    return {
      id,
      title,
      status: standing.status,
      because: standing.because,
      hash,
      classes,
      fingerprints,
      paths,
      agents,
      words,
      commands,
      expires,
      learned,
      in_checkout: origin === 'file',
      efficacy,
    };
  });
}
