/** `table`: lessons as a table for people. */
import { readableQuotes } from '../../core/text/quote-fenced.ts';
import type { Efficacy } from '../../context/efficacy.ts';
import type { LessonRow } from '../../report/lesson-rows.ts';
import { columns } from '../render/columns.ts';
import { plainLine } from '../render/plain.ts';

function useOf({ shown, recurred, untested }: Efficacy): string {
  if (shown === 0) return '-';
  return `${shown} shown, ${untested === shown ? 'not tested' : `${recurred} again`}`;
}

export function table(rows: readonly LessonRow[]): string {
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
