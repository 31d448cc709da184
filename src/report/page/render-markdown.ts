/** `renderMarkdown`: a page as Markdown, to be committed or pasted. */
import { oneLine, readableQuotes } from '../../core/text/quote-fenced.ts';
import type { Block, Page } from './page.ts';

export function renderMarkdown(page: Page): string {
  const parts = page.sections.map(({ title, blocks }) => {
    const body = blocks.map(block).filter((text) => text !== '');
    return body.length === 0 ? '' : `## ${title}\n\n${body.join('\n\n')}`;
  });
  return `# ${page.title}\n\n${page.subtitle}\n\n${parts.filter((text) => text !== '').join('\n\n')}\n`;
}

function block(part: Block): string {
  switch (part.type) {
    case 'lines':
      return part.lines.map(([label, value]) => `- **${label}**: ${cell(value)}`).join('\n');
    case 'table':
      return part.rows.length === 0
        ? ''
        : [part.head, part.head.map(() => '---'), ...part.rows]
            .map((row) => `| ${row.map(cell).join(' | ')} |`)
            .join('\n');
    case 'list':
      return part.items.length === 0 ? part.empty : part.items.map((item) => `- ${cell(item)}`).join('\n');
    case 'chart':
      return '';
  }
}

/** Nothing in a cell may end it, begin HTML or become a link. What programs and agents wrote stands in quotation marks. */
function cell(text: string): string {
  return oneLine(readableQuotes(text)).replaceAll(/[\\|`<>[\]]/g, (mark) => `\\${mark}`);
}
