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

function useOf({ shown, recurred, untested }: Efficacy): string {
  if (shown === 0) return '-';
  return `${shown} shown, ${untested === shown ? 'not tested' : `${recurred} again`}`;
}

export function table(rows: readonly Row[]): string {
  const body = rows.map(({ id, status, efficacy, title }) => [
    plainLine(id, 42),
    status,
    useOf(efficacy),
    plainLine(
      `${readableQuotes(title)}${efficacy.verdict === 'doubtful' || efficacy.verdict === 'useless' ? ` (${efficacy.verdict})` : ''}`,
      80,
    ),
  ]);
  return columns([['LESSON', 'STATUS', 'USE', 'TITLE'], ...body]);
}
