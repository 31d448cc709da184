/** `readHistory`: everything that reports are made of, from the record alone. */
import { readableQuotes } from '../core/text/quote-fenced.ts';
import { readAllMetrics } from '../core/view/metrics-code.ts';
import type { RunMetrics } from '../core/view/run-metrics.ts';
import type { RunRecord } from '../record/contract.ts';
import { allMetrics } from '../supervise/all-metrics.ts';
import { readFalsePositives } from './false-positive.ts';
import type { LessonFacts } from './metrics/learning-metrics.ts';

export interface History {
  /** Rows of the record that this version cannot read. */
  readonly unread: number;
  /** Oldest first. */
  readonly runs: readonly RunMetrics[];
  readonly lessons: readonly LessonFacts[];
  readonly falsePositives: ReadonlySet<string>;
}

export async function readHistory(
  record: RunRecord,
  { repository, now }: { readonly repository?: string | undefined; readonly now: number },
): Promise<History> {
  const filter = repository === undefined ? {} : { repository };
  const read = repository === undefined ? allMetrics(record) : record.metrics(filter).then(readAllMetrics);
  return {
    ...(await read),
    lessons: await lessonFacts(record, filter, now),
    falsePositives: await readFalsePositives(record),
  };
}

export async function lessonFacts(
  record: RunRecord,
  filter: { readonly repository?: string },
  now: number,
): Promise<readonly LessonFacts[]> {
  const lessons = await record.lessons(filter);
  if (lessons.length === 0) return [];
  const { CONTEXT_CHAIN, readDecisions, settles } = await import('../context/decisions.ts');
  const { indexed } = await import('../supervise/lessons/lesson-index.ts');
  const decisions = readDecisions(await record.ledger(CONTEXT_CHAIN));
  return lessons.map((stored) => {
    const { lesson, standing } = indexed(stored, decisions, now);
    return {
      ...lesson,
      title: readableQuotes(lesson.title),
      repository: stored.repository,
      status: standing.status,
      incident: lesson.learned.incident,
      decided: settles(standing.decision),
    };
  });
}
