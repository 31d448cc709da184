/** `ownHint`: what a program that fails again and again explains and advises by itself; null if it does neither. */
import { oneOf } from '../../text/one-of.ts';
import { mostFrequent } from './repeated-turns.ts';

const HINT = oneOf(
  /^\W{0,4}(?:hint|help|tip|suggestion|fix)\b ?: ?\S.{8,}$|^\S{1,160}:\d+: note: .{10,}$/i,
  /^.{0,160}\b(?:did you (?:mean|forget)|perhaps you meant|have you tried|(?:you can|please) use .{2,80} instead)\b.*$/,
  /^.{0,160}\byou (?:may|might|probably|should) (?:want|need|have) to\b.{3,}$|^.{0,200}\bbecause (?:it|the|of|you|your|this)\b.{3,}$/,
  /^.{0,120}\b(?:please (?:run|use|install|set|add|remove|specify)|(?:try|consider) (?:run|us|add|install|sett)ing)\b.{0,160}$/,
);
/** A line of code that a compiler proposes. */
const PROPOSED = /^\d+\s+[+~]\s+\S/;
const SCANNED_CHARS = 20_000;
const LINE_CHARS = 300;
const SHOWN_CHARS = 420;

/** `outputs`: of the failing calls; the hints that most of them give. */
export function ownHint(outputs: readonly string[]): string | null {
  const [most, count] = mostFrequent(outputs.map(hintsIn).filter((hints) => hints !== ''));
  if (most === null || count * 3 < outputs.length) return null;
  return most.length > SHOWN_CHARS ? `${most.slice(0, SHOWN_CHARS - 1)}…` : most;
}

function hintsIn(output: string): string {
  const lines = output
    .slice(-SCANNED_CHARS)
    .split('\n')
    .map((line) => line.trim());
  const told = lines.filter((line) => line.length <= LINE_CHARS && (HINT.test(line) || PROPOSED.test(line)));
  // A hint over several lines repeats its mark.
  const [first = ''] = told;
  const mark = /^\w+: /.exec(first)?.[0];
  const rest = told.slice(1, mark === undefined ? 3 : 4);
  return [
    first,
    ...rest.map((line) => (mark !== undefined && line.startsWith(mark) ? line.slice(mark.length) : line)),
  ]
    .join(' ')
    .trim();
}
