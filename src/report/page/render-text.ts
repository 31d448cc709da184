/** `renderText`: a page for a terminal or a file: plain columns, no colour. */
import { oneLine } from '../../core/text/quote-fenced.ts';
import type { Block, Page } from './page.ts';

const MAX_CELL = 48;
const LABEL_WIDTH = 32;
const BAR_WIDTH = 30;

export function renderText(page: Page): string {
  const parts = page.sections.map(({ title, blocks }) => {
    const body = blocks.map(block).filter((text) => text !== '');
    return body.length === 0 ? '' : `${title}\n${body.join('\n')}`;
  });
  return `${page.title}  ${page.subtitle}\n\n${parts.filter((text) => text !== '').join('\n\n')}\n`;
}

function block(part: Block): string {
  switch (part.type) {
    case 'lines':
      return part.lines
        .map(([label, value]) => `  ${`${label}: `.padEnd(LABEL_WIDTH)}${oneLine(value)}`)
        .join('\n');
    case 'table':
      return part.rows.length === 0 ? '' : table([part.head, ...part.rows]);
    case 'list':
      return part.items.length === 0
        ? `  ${part.empty}`
        : part.items.map((item) => `  - ${oneLine(item)}`).join('\n');
    case 'chart': {
      const top = Math.max(...part.chart.bars.map(({ value }) => value), 0);
      if (top === 0 || part.chart.bars.length < 2) return '';
      const bars = part.chart.bars.map(
        ({ label, value, text }) =>
          `  ${oneLine(label).slice(0, 22).padEnd(24)}${'█'.repeat(Math.max(1, Math.round((value / top) * BAR_WIDTH)))} ${text}`,
      );
      return [`  ${part.chart.title}`, ...bars].join('\n');
    }
  }
}

function table(rows: readonly (readonly string[])[]): string {
  // The last cell has no neighbour: it is not cut.
  const cells = rows.map((row) =>
    row.map((cell, column) => (column === row.length - 1 ? oneLine(cell) : short(oneLine(cell)))),
  );
  const widths = (cells[0] ?? []).map((_, column) =>
    Math.max(...cells.map((row) => (row[column] ?? '').length)),
  );
  return cells
    .map((row) => `  ${row.map((cell, column) => cell.padEnd((widths[column] ?? 0) + 2)).join('')}`.trimEnd())
    .join('\n');
}

function short(text: string): string {
  return text.length > MAX_CELL ? `${text.slice(0, MAX_CELL - 1)}…` : text;
}
