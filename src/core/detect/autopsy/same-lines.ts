/**
 * `sameLines`: what calls that fail again and again print alike each time: the lines that name the failure, in order.
 * `linesAlike`: all lines that they print alike.
 */
import { complains } from '../../text/complains.ts';
import { oneOf } from '../../text/one-of.ts';
import { LISTED_LINE, namesError } from '../error-line.ts';
import { withoutNumbers } from '../output-line.ts';
import type { RecordedTurn } from './recorded-turn.ts';

/** As many lines as a person reads at a glance. */
const SHOWN = 5;
const LONGEST = 240;
/** What was compared, and where. */
const COMPARES = oneOf(
  /^\W{0,4}(?:expected|received|actual|got|want|left|right)\b.{0,20}[:=<]|\bexpected\b.*\b(?:but|got|to)\b|(?<!=)[!=]==? /i,
  /\b(?:exit (?:code|status)|exited with)\b|^\W{0,2}(?:at |-->|File ")?\S{1,120}\.\w{1,5}[:(]\d+/i,
);

export function sameLines(turns: readonly RecordedTurn[]): readonly string[] {
  const telling = linesAlike(turns)
    .filter((line) => !OF_HARNESS.test(line))
    .filter((line) => namesError(line) || complains(line) || COMPARES.test(line));
  const frame = telling.findIndex((line) => FRAME.test(line));
  return telling.filter((line, at) => at === frame || !FRAME.test(line)).slice(0, SHOWN);
}

export function linesAlike(turns: readonly RecordedTurn[]): readonly string[] {
  const failing = turns.filter(({ failed }) => failed);
  const [first, ...others] = failing.map((turn) => linesOf(turn.output));
  if (first === undefined || others.length === 0) return [];
  const most = others.length * MOST;
  return [...first]
    .filter(([key]) => others.filter((other) => other.has(key)).length >= most)
    .map(([, line]) => line);
}

/** What an editor says with each refusal. */
const OF_HARNESS =
  /^(?:your (?:changes|proposed edit)|please |do not re-?run|this is (?:how|the)|file updated)/i;
/** Of a trace one frame tells where. */
const FRAME = /^at \S/;

/** A line that an edit moved once is still the same failure. */
const MOST = 0.75;

/** A line of a file as an editor shows it. */
const NUMBERED = /^\d+:\S/;

function linesOf(output: string): ReadonlyMap<string, string> {
  const lines = output
    .slice(0, 40_000)
    .split('\n')
    .map((line) => line.trim());
  return new Map(
    lines
      .filter(
        (line) =>
          line.length > 3 && line.length <= LONGEST && !LISTED_LINE.test(line) && !NUMBERED.test(line),
      )
      .map((line) => [withoutNumbers(line), line]),
  );
}
