/** `markTables`: marks the lines of tables: words in columns are data, whatever they say. */
import type { Shape } from './shape.ts';
import type { Line } from './read-lines.ts';

export function markTables(lines: readonly Line[], shapes: readonly Shape[], quoted: boolean[]): void {
  markTable(lines, shapes, quoted);
  markPiped(lines, quoted);
  markColumns(lines, shapes, quoted);
}

/** Fewer columns line up by chance. */
const TABLE_COLUMNS = 3;
const TABLE_ROWS = 2;

interface Word {
  readonly start: number;
  readonly end: number;
}

/** A line of headings, and below it lines whose words start or end in the same columns: the words are data. */
function markTable(lines: readonly Line[], shapes: readonly Shape[], quoted: boolean[]): void {
  for (let at = 0; at + TABLE_ROWS < lines.length; at += 1) {
    const heading = lines[at] as Line;
    const columns = shapes[at]?.kind === 'text' ? headings(heading.shown) : [];
    // Rows that are numbered have a column without a heading.
    const numbered = heading.indent > 1 ? 1 : 0;
    if (columns.length + numbered < TABLE_COLUMNS) continue;
    let end = at + 1;
    while (end < lines.length && linesUp((lines[end] as Line).shown, columns)) end += 1;
    if (end - at - 1 < TABLE_ROWS) continue;
    for (let row = at; row < end; row += 1) {
      const kind = shapes[row]?.kind;
      if (kind !== 'diagnostic' && kind !== 'exception') quoted[row] = true;
    }
    at = end - 1;
  }
}

/** A heading is wider than any line that matters here. */
const TABLE_CHARS = 400;

/** None if it reads like a sentence. */
function headings(raw: string): readonly Word[] {
  const words = wordsIn(raw);
  const plain = words.every(({ start, end }) => /^[A-Za-z#%][\w%#()./-]{0,30}$/.test(raw.slice(start, end)));
  return plain ? words : [];
}

function linesUp(raw: string, columns: readonly Word[]): boolean {
  const words = wordsIn(raw);
  return columns.every(({ start, end }) => words.some((word) => word.start === start || word.end === end));
}

function wordsIn(raw: string): readonly Word[] {
  if (raw.length > TABLE_CHARS) return [];
  return [...raw.matchAll(/[^\s|]{1,400}/g)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
  }));
}

/** `| a | b |` line after line: a table as Markdown writes it. */
function markPiped(lines: readonly Line[], quoted: boolean[]): void {
  const piped = lines.map(({ text }) => text.length > 4 && /^\|.*\|$/.test(text));
  for (const [at, is] of piped.entries())
    if (is && (piped[at - 1] === true || piped[at + 1] === true)) quoted[at] = true;
}

/** Fewer rows line up by chance. */
const COLUMN_ROWS = 3;

/** Rows without headings: line after line, the words behind the first gap start in the same column. */
function markColumns(lines: readonly Line[], shapes: readonly Shape[], quoted: boolean[]): void {
  let from = 0;
  for (let at = 1; at <= lines.length; at += 1) {
    const column = secondColumn(lines[from], shapes[from]);
    if (column > 0 && secondColumn(lines[at], shapes[at]) === column) continue;
    if (column > 0 && at - from >= COLUMN_ROWS) for (let row = from; row < at; row += 1) quoted[row] = true;
    from = at;
  }
}

/** 0 where a line has none, or states something. */
function secondColumn(line: Line | undefined, shape: Shape | undefined): number {
  if (line === undefined || shape === undefined || line.indent > 0) return 0;
  if (shape.kind !== 'text' || shape.authority >= 0.5) return 0;
  return /^\S{1,40} {2,40}(?=\S)/.exec(line.shown)?.[0].length ?? 0;
}
