/** `renderHtml`: a page as one HTML file: no scripts, nothing from outside, charts as inline SVG. */
import { escapeHtml } from '../escape-html.ts';
import { oneLine, readableQuotes } from '../../core/text/quote-fenced.ts';
import type { Block, Chart, Page } from './page.ts';

const STYLE = `
:root{color-scheme:light dark;--ink:#1d2330;--soft:#667085;--line:#e4e7ec;--bar:#3b6fd4;--paper:#fff;--good:#18794e;--bad:#b42318}
@media(prefers-color-scheme:dark){
:root{--ink:#e6e9ef;--soft:#98a2b3;--line:#2b3240;--bar:#7aa2f7;--paper:#12151c;--good:#4cc38a;--bad:#f97066}}
body{font:15px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);max-width:72rem;margin:2rem auto;padding:0 1.25rem}
h1{font-size:1.6rem;margin:0}h2{font-size:1.1rem;margin:2.2rem 0 .6rem}p.sub{color:var(--soft);margin:.2rem 0 1rem}
dl{display:grid;grid-template-columns:minmax(12rem,max-content) 1fr;gap:.25rem 1.25rem;margin:0 0 1rem}
dt{color:var(--soft)}dd{margin:0;font-weight:600}
div.wide{overflow-x:auto}table{border-collapse:collapse;margin:.4rem 0 1rem;font-variant-numeric:tabular-nums}
th,td{text-align:left;padding:.3rem .9rem .3rem 0;border-bottom:1px solid var(--line);vertical-align:top}
th{color:var(--soft);font-weight:500}
td.met{color:var(--good)}td.missed{color:var(--bad);font-weight:600}
svg text{fill:currentColor;font-size:12px}figure{margin:.5rem 0 1rem}figcaption{color:var(--soft)}
`.trim();

const ROW = 26;
const LABEL_SPACE = 170;
const CHART_WIDTH = 640;
const VALUE_SPACE = 80;

export function renderHtml(page: Page): string {
  const sections = page.sections.map(({ title, blocks }) => {
    const body = blocks.map(block).join('');
    return body === '' ? '' : `<section><h2>${escape(title)}</h2>${body}</section>`;
  });
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escape(page.title)}</title><style>${STYLE}</style></head>
<body><h1>${escape(page.title)}</h1><p class="sub">${escape(page.subtitle)}</p>
${sections.filter((text) => text !== '').join('\n')}
</body></html>
`;
}

function block(part: Block): string {
  switch (part.type) {
    case 'lines':
      return `<dl>${part.lines.map(([label, value]) => `<dt>${escape(label)}</dt><dd>${escape(value)}</dd>`).join('')}</dl>`;
    case 'table': {
      if (part.rows.length === 0) return '';
      const head = part.head.map((cell) => `<th>${escape(cell)}</th>`).join('');
      const rows = part.rows.map((row) => `<tr>${row.map(tableCell).join('')}</tr>`).join('');
      return `<div class="wide"><table><thead><tr>${head}</tr></thead><tbody>${rows}</tbody></table></div>`;
    }
    case 'list':
      return part.items.length === 0
        ? `<p>${escape(part.empty)}</p>`
        : `<ul>${part.items.map((item) => `<li>${escape(item)}</li>`).join('')}</ul>`;
    case 'chart':
      return chart(part.chart);
  }
}

function tableCell(text: string): string {
  const word = text === 'met' || text === 'missed' ? ` class="${text}"` : '';
  const struck = escape(text).replaceAll(/~~([^~]*)~~/g, '<s>$1</s>');
  return `<td${word}>${struck}</td>`;
}

function chart({ title, bars }: Chart): string {
  const top = Math.max(...bars.map(({ value }) => value), 0);
  if (top === 0) return '';
  const room = CHART_WIDTH - LABEL_SPACE - VALUE_SPACE;
  const drawn = bars.map(({ label, value, text }, index) => {
    const y = index * ROW;
    const width = Math.max(2, Math.round((value / top) * room));
    return [
      `<text x="0" y="${y + 17}">${escape(label.slice(0, 26))}</text>`,
      `<rect x="${LABEL_SPACE}" y="${y + 5}" width="${width}" height="16" rx="2" fill="var(--bar)"/>`,
      `<text x="${LABEL_SPACE + width + 8}" y="${y + 17}">${escape(text)}</text>`,
    ].join('');
  });
  const height = bars.length * ROW;
  const size = `viewBox="0 0 ${CHART_WIDTH} ${height}" width="${CHART_WIDTH}" height="${height}" style="max-width:100%"`;
  const svg = `<svg role="img" aria-label="${escape(title)}" ${size}>${drawn.join('')}</svg>`;
  return `<figure><figcaption>${escape(title)}</figcaption>${svg}</figure>`;
}

function escape(text: string): string {
  return escapeHtml(oneLine(readableQuotes(text)));
}
