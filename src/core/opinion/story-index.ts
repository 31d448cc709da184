/**
 * `callIndex`: all calls of a run, one line each, as many as there is room for: the last ones, the first ones, the place of the trouble,
 * then evenly. `callLine`, `newLines`, `decides`: a call in one line, and what of its output says most.
 */
import type { Autopsy } from '../detect/autopsy/autopsy.ts';
import type { RecordedTurn } from '../detect/autopsy/recorded-turn.ts';
import { callText } from '../detect/detector.ts';
import { namesError } from '../detect/error-line.ts';
import { changes } from '../detect/staleness.ts';
import { hashLoose } from '../detect/text-hash.ts';
import { FAILED_COUNT } from '../text/failed-count.ts';
import { oneLine } from '../text/quote-fenced.ts';
import type { TranscriptEntry } from '../vocabulary/transcript.ts';

export const LISTED_CHARS = 90;
/** More of an output is not read. */
export const READ_LINES = 1_000;

interface Row {
  readonly step: number;
  readonly text: string;
}

export function callIndex(entries: readonly TranscriptEntry[], found: Autopsy, room: number): string {
  // Few calls are shown with more of each.
  const wide = Math.floor(room / (found.turns.length + 1) / 2) - 20;
  const rows = together(
    rowsOf(entries, found.turns, Math.min(2 * LISTED_CHARS, Math.max(LISTED_CHARS, wide))),
  );
  const since = rows.findIndex(({ step }) => step >= (found.firstStuckStep ?? Infinity));
  const order = new Set([
    ...rows.slice(-12).toReversed(),
    ...rows.slice(0, 4),
    ...(since === -1 ? [] : rows.slice(Math.max(0, since - 2), since + 4)),
    // The rest evenly over the run.
    ...[32, 16, 8, 4, 2, 1].flatMap((every) => rows.filter((_, at) => at % every === 0)),
  ]);
  let left = room;
  const shown = new Set(
    [...order].filter(({ text }) => {
      if (text.length + 3 > left) return false;
      left -= text.length + 3;
      return true;
    }),
  );
  return rows
    .flatMap((row, at) =>
      shown.has(row) ? [row.text] : at > 0 && !shown.has(rows[at - 1] as Row) ? [] : ['…'],
    )
    .join('\n');
}

function rowsOf(entries: readonly TranscriptEntry[], turns: readonly RecordedTurn[], chars: number): Row[] {
  const news = newLines(turns);
  const rows = turns.map((turn) => {
    const line = turn.failed && turn.errorLine !== '' ? turn.errorLine : news.get(turn);
    const told = line === null || line === undefined ? 'nothing new' : oneLine(line).slice(0, chars);
    const mark = `${turn.failed ? 'failed: ' : ''}${changes(turn) ? 'changed: ' : ''}`;
    return {
      step: turn.callStep,
      text: `[${turn.callStep}] ${callLine(turn, chars)} -> [${turn.step}] ${mark}${told}`,
    };
  });
  const isCall = (at: number) => entries[at]?.type === 'tool_call';
  // Words right before a call are mostly its announcement.
  const words = entries.flatMap((entry, step) =>
    'text' in entry && entry.text.trim() !== '' && !isCall(step + 1)
      ? [{ step, text: `[${step} ${entry.type}] ${oneLine(entry.text).slice(0, chars)}` }]
      : [],
  );
  return [...rows, ...words].toSorted((a, b) => a.step - b.step);
}

/** Rows that only differ in their numbers, as one. */
function together(rows: readonly Row[]): Row[] {
  const kept: { row: Row; count: number }[] = [];
  for (const row of rows) {
    const last = kept.at(-1);
    if (last !== undefined && hashLoose(last.row.text) === hashLoose(row.text)) last.count += 1;
    else kept.push({ row, count: 1 });
  }
  return kept.map(({ row, count }) =>
    count === 1 ? row : { ...row, text: `${row.text} (${count} times in a row)` },
  );
}

export function decides(line: string): boolean {
  return namesError(line) || FAILED_COUNT.test(line);
}

export function callLine(turn: RecordedTurn, chars = LISTED_CHARS): string {
  const line = callText(turn);
  return line.length > chars ? `${line.slice(0, chars)}…` : line;
}

/** The line of each turn that says most: its failure, or the first that no earlier turn printed; null: it printed nothing new. */
export function newLines(turns: readonly RecordedTurn[]): ReadonlyMap<RecordedTurn, string | null> {
  const seen = new Set<number>();
  const news = new Map<RecordedTurn, string | null>();
  for (const turn of turns) {
    const lines = turn.output
      .split('\n', READ_LINES)
      .map((line) => line.trim())
      .filter((line) => line.length > 3 && !turn.given.includes(line));
    const fresh = lines.filter((line) => !seen.has(hashLoose(line)));
    for (const line of fresh) seen.add(hashLoose(line));
    news.set(turn, fresh.find(decides) ?? fresh[0] ?? null);
  }
  return news;
}
