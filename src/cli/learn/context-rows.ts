/** `described`, `table`: lessons as rows, for `--json` and as a table for people. */
import { readableQuotes } from '../../core/text/quote-fenced.ts';
import { type Efficacy, efficacyOf } from '../../context/efficacy.ts';
import type { RunRecord } from '../../record/contract.ts';
import { latestRuns } from '../../supervise/lessons/lessons-before.ts';
import type { IndexedLesson } from '../../supervise/lessons/lesson-index.ts';
import { columns } from '../render/columns.ts';
import { plainLine } from '../render/plain.ts';

type Row = Awaited<ReturnType<typeof described>>[number];

export async function described(record: RunRecord, repository: string, lessons: readonly IndexedLesson[]) {
  const runs = await latestRuns(record, repository);
  return lessons.map(({ lesson, hash, origin, standing }) => {
    const { shown, helped, recurred, clean, avoided, verdict }: Efficacy = efficacyOf(lesson, runs);
    const { id, title, classes, fingerprints, paths, agents, words, expires, learned } = lesson;
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
      expires,
      learned,
      in_checkout: origin === 'file',
      efficacy: { shown, helped, recurred, clean, avoided, verdict },
    };
  });
}

export function table(rows: readonly Row[]): string {
  const body = rows.map(({ id, status, efficacy, title }) => [
    plainLine(id, 42),
    status,
    efficacy.shown === 0 ? '-' : `${efficacy.shown} shown, ${efficacy.recurred} again`,
    plainLine(
      `${readableQuotes(title)}${efficacy.verdict === 'doubtful' || efficacy.verdict === 'useless' ? ` (${efficacy.verdict})` : ''}`,
      80,
    ),
  ]);
  return columns([['LESSON', 'STATUS', 'USE', 'TITLE'], ...body]);
}
