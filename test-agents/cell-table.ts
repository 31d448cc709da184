/** `cellTable`, `storyTable`, `bareWords`, `supervisedWords`: the cells for people: in lines, and as one table, story by CLI. */
import type { StoryCell } from './story-cell.ts';

const HEAD = ['story', 'bare', 'Mayday', 'class', 'attempts', 'notice s', 'requests in vain', 'saved', ''];

export function cellTable(cells: readonly StoryCell[]): string {
  return aligned([HEAD, ...cells.map(cellLine)]);
}

/** Why a place of the table has no cell: it cannot be, or this run left it out. */
export type Gap = (story: string, cli: string) => string;

export function storyTable(
  stories: readonly string[],
  clis: readonly string[],
  cells: readonly StoryCell[],
  gap: Gap,
): string {
  const place = (story: string, cli: string): string => {
    const cell = cells.find((one) => one.story === story && one.cli === cli);
    return cell === undefined ? gap(story, cli) : summary(cell);
  };
  return aligned([
    ['story', ...clis],
    ...stories.map((story) => [story, ...clis.map((cli) => place(story, cli))]),
  ]);
}

/** `exit 1, no work -> delivered ok`: bare beside supervised. */
function summary({ bare, supervised, wrong }: StoryCell): string {
  const left = bare.orphans > 0 ? `, ${bare.orphans} left` : '';
  const alone = `${bare.ended}, ${bare.workDone ? 'work done' : 'no work'}${left}`;
  return `${alone} -> ${supervised.ended} ${seconds(supervised.seconds)} ${wrong.length === 0 ? 'ok' : 'WRONG'}`;
}

function aligned(lines: readonly (readonly string[])[]): string {
  const widths = (lines[0] ?? []).map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  return lines
    .map((line) =>
      line
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function cellLine({ story, bare, supervised, wrong }: StoryCell): string[] {
  return [
    story,
    bareWords(bare),
    supervisedWords(supervised),
    supervised.class ?? '-',
    String(supervised.attempts),
    supervised.secondsToNotice?.toFixed(1) ?? '-',
    `${bare.inVain} -> ${supervised.inVain}`,
    String(bare.inVain - supervised.inVain),
    wrong.length === 0 ? 'ok' : `WRONG: ${wrong.join('; ')}`,
  ];
}

export function bareWords({ ended, workDone, seconds: took, orphans }: StoryCell['bare']): string {
  const left = orphans > 0 ? [`${orphans} left running`] : [];
  return [ended, workDone ? 'work done' : 'no work', seconds(took), ...left].join(', ');
}

export function supervisedWords({ ended, seconds: took }: StoryCell['supervised']): string {
  return `${ended}, ${seconds(took)}`;
}

function seconds(value: number): string {
  return `${value.toFixed(1)} s`;
}
