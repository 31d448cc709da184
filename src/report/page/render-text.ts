/** `renderText`: a page for a terminal or a file: plain columns, no colour. */
import { oneLine, readableQuotes } from '../../core/text/quote-fenced.ts';
import { columns, widthOf } from '../../core/text/columns.ts';
import { cutCell, cutToWidth, padToWidth } from '../../core/text/width.ts';
import type { Block, Page } from './page.ts';

const MAX_CELL = 48;
const INDENT = 2;
const LABEL_WIDTH = 32;
const BAR_WIDTH = 30;

/** `width`: of the terminal, if it is one. */
export function renderText(page: Page, width = Infinity): string {
  const parts = page.sections.map(({ title, blocks }) => {
    const body = blocks.map((part) => block(part, width - INDENT)).filter((text) => text !== '');
    return body.length === 0 ? '' : `${title}\n${body.join('\n')}`;
  });
  return `${page.title}  ${page.subtitle}\n\n${parts.filter((text) => text !== '').join('\n\n')}\n`;
}

function block(part: Block, width: number): string {
  switch (part.type) {
    case 'lines':
      return part.lines
        .map(([label, value]) => `  ${`${label}: `.padEnd(LABEL_WIDTH)}${readable(value)}`)
        .join('\n');
    case 'table':
      return part.rows.length === 0 ? '' : table([part.head, ...part.rows], width);
    case 'list':
      return part.items.length === 0
        ? `  ${part.empty}`
        : part.items.map((item) => `  - ${readable(item)}`).join('\n');
    case 'chart': {
      const top = Math.max(...part.chart.bars.map(({ value }) => value), 0);
      if (top === 0 || part.chart.bars.length < 2) return '';
      const bars = part.chart.bars.map(
        ({ label, value, text }) =>
          `  ${padToWidth(cutToWidth(readable(label), 22), 24)}${'█'.repeat(Math.max(1, Math.round((value / top) * BAR_WIDTH)))} ${text}`,
      );
      return [`  ${part.chart.title}`, ...bars].join('\n');
    }
  }
}

function table(rows: readonly (readonly string[])[], width: number): string {
  // The last cell has no neighbour: only a terminal cuts it.
  const cells = rows.map((row) =>
    row.map((cell, column) =>
      column === row.length - 1 ? readable(cell) : cutCell(readable(cell), MAX_CELL),
    ),
  );
  if (widthOf(cells) > width * TOO_WIDE) return asList(cells);
  return columns(cells, width).trimEnd().replaceAll(/^/gm, ' '.repeat(INDENT));
}

/** So much wider than the terminal, every cell of a table would be cut to a stump. */
const TOO_WIDE = 1.5;

/** A row for each: its first two cells say which, the others have the name of their column. */
function asList([head = [], ...rows]: readonly (readonly string[])[]): string {
  const named = (cell: string, at: number) =>
    cell === '-' || cell === '' ? [] : [at < 2 ? cell : `${head[at]?.toLowerCase()} ${cell}`];
  return rows.map((row) => `  - ${row.flatMap(named).join(' · ')}`).join('\n');
}

/** A page is for people: what programs and agents wrote stands in quotation marks. */
function readable(text: string): string {
  return oneLine(readableQuotes(text));
}
