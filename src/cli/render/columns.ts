/** `columns`: rows as aligned text, each column as wide as its widest cell. */
import { padToWidth, textWidth } from './width.ts';

const GAP = 2;

export function columns(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows)
    for (const [column, cell] of row.entries())
      widths[column] = Math.max(widths[column] ?? 0, textWidth(cell));
  const line = (row: readonly string[]): string =>
    row.map((cell, column) => padToWidth(cell, (widths[column] ?? 0) + GAP)).join('');
  return rows.map((row) => `${line(row).trimEnd()}\n`).join('');
}
