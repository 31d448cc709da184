/** Lines of a terminal as an SVG; each fades in at its time, and stays where motion is unwanted. */

export interface TimedLine {
  readonly text: string;
  readonly atMs: number;
}

const LINE_PX = 19;
const CHAR_PX = 7.83;
const PADDING_PX = 18;
const COLUMNS = 124;
/** A recording that keeps every pause bores; a line waits for at most this long after the one before. */
const LONGEST_PAUSE_MS = 1_400;
const COLOURS: readonly (readonly [RegExp, string])[] = [
  [/^\$/, '#e6edf3'],
  [/^\s*(\d\d:\d\d\s+)?!/, '#ff7b72'],
  [/^\s+cause/, '#ffa657'],
  [/^\s*(\d\d:\d\d\s+)?…/, '#d2a8ff'],
  [/^\s*(\d\d:\d\d\s+)?✓|^\s+did|^delivered/, '#7ee787'],
];
const PLAIN = '#9da7b3';

export function drawTerminal(lines: readonly TimedLine[]): string {
  const width = Math.round(COLUMNS * CHAR_PX + 2 * PADDING_PX);
  const height = lines.length * LINE_PX + 2 * PADDING_PX;
  let shownAtMs = 0;
  let toldAtMs = 0;
  const rows = lines.map(({ text, atMs }, index) => {
    shownAtMs += Math.min(LONGEST_PAUSE_MS, Math.max(0, atMs - toldAtMs));
    toldAtMs = atMs;
    const colour = COLOURS.find(([pattern]) => pattern.test(text))?.[1] ?? PLAIN;
    const y = PADDING_PX + (index + 1) * LINE_PX - 5;
    const delay = (shownAtMs / 1000).toFixed(2);
    return `<text x="${PADDING_PX}" y="${y}" fill="${colour}" style="animation-delay:${delay}s">${escape(text)}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" xml:space="preserve" aria-label="A coding agent loops, is stopped and resumed, hits a limit, is parked and resumed, and its work is delivered">
<style>
text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; white-space: pre; opacity: 0; animation: told 0.2s ease-out forwards }
@keyframes told { to { opacity: 1 } }
@media (prefers-reduced-motion: reduce) { text { opacity: 1; animation: none } }
</style>
<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
${rows.join('\n')}
</svg>
`;
}

function escape(text: string): string {
  const line = text.length > COLUMNS ? `${text.slice(0, COLUMNS - 1)}…` : text;
  return line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
