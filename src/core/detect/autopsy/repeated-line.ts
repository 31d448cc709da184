/** `repeatedLine`: the line that the failing calls of a stretch print most often, word for word. Why, no count can tell. */
import { complains } from '../../text/complains.ts';
import { isBanner, LISTED_LINE, namesError } from '../error-line.ts';
import type { RecordedTurn } from './recorded-turn.ts';

export interface RepeatedLine {
  readonly text: string;
  /** The calls that print it, in order: at least two. */
  readonly turns: readonly RecordedTurn[];
}

const SCANNED_CHARS = 40_000;
const SHORTEST = 8;
const LONGEST = 240;
/** A line of fewer of the failing calls is a part of one failure, not what they share. */
const LEAST_SHARE = 1 / 3;
/** Of lines that come nearly as often as the most frequent one, the one that names an error is chosen. */
const NEARLY = 0.75;

export function repeatedLine(turns: readonly RecordedTurn[]): RepeatedLine | null {
  const shownBy = new Map<string, RecordedTurn[]>();
  const failing = turns.filter(({ failed }) => failed);
  for (const turn of failing)
    for (const line of linesOf(turn.output)) {
      const known = shownBy.get(line);
      if (known === undefined) shownBy.set(line, [turn]);
      else known.push(turn);
    }
  const least = Math.max(2, failing.length * LEAST_SHARE);
  const often = [...shownBy].filter(([line, by]) => by.length >= least && weightOf(line, by) > 0);
  const most = Math.max(0, ...often.map(([, by]) => by.length));
  const [best] = often
    .filter(([, by]) => by.length >= most * NEARLY)
    .toSorted(([a, as], [b, bs]) => weightOf(b, bs) - weightOf(a, as) || bs.length - as.length);
  return best === undefined ? null : { text: best[0], turns: best[1] };
}

function linesOf(output: string): ReadonlySet<string> {
  const lines = output
    .slice(0, SCANNED_CHARS)
    .split('\n')
    .map((line) => line.trim());
  return new Set(
    lines.filter(
      (line) =>
        line.length >= SHORTEST && line.length <= LONGEST && !LISTED_LINE.test(line) && !isBanner(line),
    ),
  );
}

/** The line by which the calls were read as failed tells most; of a name and what is said of it, what is said. */
function weightOf(line: string, [turn]: readonly RecordedTurn[]): number {
  const read = turn?.errorLine ?? '';
  const said = read.slice(read.indexOf(': ') + 1);
  const isRead = read !== '' && (line.includes(said) ? 8 : read.includes(line) ? 4 : 0);
  return (isRead || 0) + (namesError(line) ? 2 : 0) + (complains(line) ? 1 : 0);
}
