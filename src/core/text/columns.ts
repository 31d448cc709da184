/** `columns`, `leastWidth`: rows as aligned text. Where that is too wide, the columns that `give` are cut first. */
import { cutCell, padToWidth, textWidth } from './width.ts';

const GAP = 2;
/** A narrower cell tells nothing; a terminal that has no room for it breaks the row. */
const LEAST = 8;

export function columns(
  rows: readonly (readonly string[])[],
  width = Infinity,
  give: readonly number[] = [],
): string {
  const widths = widthsOf(rows);
  while (totalOf(widths) > width && Math.max(...widths) > LEAST) {
    const cut = give.find((column) => (widths[column] ?? 0) > LEAST) ?? widths.indexOf(Math.max(...widths));
    widths[cut] = (widths[cut] ?? 0) - 1;
  }
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => {
        const room = widths[column] ?? 0;
        return padToWidth(cutCell(cell, room), room + GAP);
      })
      .join('');
  return rows.map((row) => `${line(row).trimEnd()}\n`).join('');
}

/** How wide the rows are where nothing is cut. */
export function widthOf(rows: readonly (readonly string[])[]): number {
  return totalOf(widthsOf(rows));
}

export function leastWidth(rows: readonly (readonly string[])[], give: readonly number[]): number {
  return totalOf(
    widthsOf(rows).map((each, column) => (give.includes(column) ? Math.min(each, LEAST) : each)),
  );
}

function widthsOf(rows: readonly (readonly string[])[]): number[] {
  const widths: number[] = [];
  for (const row of rows)
    for (const [column, cell] of row.entries())
      widths[column] = Math.max(widths[column] ?? 0, textWidth(cell));
  return widths;
}

function totalOf(widths: readonly number[]): number {
  return widths.reduce((sum, each) => sum + each + GAP, -GAP);
}
