/** `drawScreens`: moments of a terminal as an SVG that moves: each is in sight until the next one; the last one stays. */
import { isOfReader } from './is-of-reader.ts';
import type { Cell, TerminalScreen } from './terminal-screen.ts';

export interface Moment {
  readonly lines: readonly (readonly Cell[])[];
  readonly atMs: number;
}

const LINE_PX = 18;
const CHAR_PX = 7.83;
const PADDING_PX = 14;
const PLAIN = '#c9d1d9';
const COLOURS: Readonly<Record<string, string>> = {
  '1;33': '#e3b341',
  '31': '#ff7b72',
  '34': '#79c0ff',
  '32': '#7ee787',
  '2': '#7d8590',
  '1': '#f0f6fc',
};
/** Nobody sees less. */
const SHORTEST_MS = 40;
/** A recording that keeps every pause bores. */
const LONGEST_PAUSE_MS = 1_500;

export function momentOf(screen: TerminalScreen, rows: number, atMs: number): Moment {
  const lines = screen.lines.filter((line) => isOfReader(line.map(({ character }) => character).join('')));
  return { lines: lines.slice(-rows).map((line) => [...line]), atMs };
}

export function drawScreens(
  moments: readonly Moment[],
  columns: number,
  rows: number,
  label: string,
): string {
  const width = Math.round(columns * CHAR_PX + 2 * PADDING_PX);
  const height = rows * LINE_PX + 2 * PADDING_PX;
  let shownMs = 0;
  const seen = moments.filter(
    ({ atMs }, index) => (moments[index + 1]?.atMs ?? Infinity) - atMs >= SHORTEST_MS,
  );
  const groups = seen.map(({ lines, atMs }, index) => {
    const next = seen[index + 1];
    const lasts = next === undefined ? null : Math.min(LONGEST_PAUSE_MS, next.atMs - atMs);
    const timing =
      lasts === null ? `begin="${seconds(shownMs)}"` : `begin="${seconds(shownMs)}" dur="${seconds(lasts)}"`;
    shownMs += lasts ?? 0;
    return `<g visibility="hidden"><set attributeName="visibility" to="visible" ${timing}/>${drawn(lines)}</g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" xml:space="preserve" aria-label="${label}">
<style>text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; white-space: pre; fill: ${PLAIN} }</style>
<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
${groups.join('\n')}
</svg>
`;
}

function drawn(lines: readonly (readonly Cell[])[]): string {
  return lines
    .map((line, row) => {
      const y = PADDING_PX + (row + 1) * LINE_PX - 5;
      const spans = pieces(line).map(({ text, tone }) => {
        const style =
          tone === ''
            ? ''
            : ` fill="${COLOURS[tone] ?? PLAIN}"${tone.startsWith('1') ? ' font-weight="bold"' : ''}`;
        return `<tspan${style}>${escaped(text)}</tspan>`;
      });
      return spans.length === 0 ? '' : `<text x="${PADDING_PX}" y="${y}">${spans.join('')}</text>`;
    })
    .join('');
}

/** Neighbours in the same tone. */
function pieces(line: readonly Cell[]): { readonly text: string; readonly tone: string }[] {
  const found: { text: string; tone: string }[] = [];
  for (const { character, tone } of line) {
    const last = found.at(-1);
    if (last !== undefined && last.tone === tone) last.text += character;
    else found.push({ text: character, tone });
  }
  return found;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)}s`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
