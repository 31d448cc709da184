/** The rows as a table for people: what the bare CLI made of each trouble, and what Mayday made of it. */
import type { TroubleRow } from './trouble-row.ts';

const HEAD = ['trouble', 'bare', 'Mayday', 'class', 'attempts', 'notice s', 'requests in vain', 'saved', ''];

export function troubleTable(rows: readonly TroubleRow[]): string {
  const cells = [HEAD, ...rows.map(rowCells)];
  const widths = HEAD.map((_, column) => Math.max(...cells.map((row) => (row[column] as string).length)));
  return cells
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] as number))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function rowCells({ name, bare, supervised, wrong }: TroubleRow): string[] {
  return [
    name,
    [
      bare.ended,
      bare.workDone ? 'work done' : 'no work',
      seconds(bare.seconds),
      ...(bare.orphans > 0 ? [`${bare.orphans} left running`] : []),
    ].join(', '),
    `${supervised.ended}, ${seconds(supervised.seconds)}`,
    supervised.class ?? '-',
    String(supervised.attempts),
    supervised.secondsToNotice?.toFixed(1) ?? '-',
    `${bare.inVain} -> ${supervised.inVain}`,
    String(bare.inVain - supervised.inVain),
    wrong.length === 0 ? 'ok' : `WRONG: ${wrong.join('; ')}`,
  ];
}

function seconds(value: number): string {
  return `${value.toFixed(1)} s`;
}
