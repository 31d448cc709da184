/**
 * `ownHint`: what a program that fails again and again explains and advises by itself; null if it does neither. `withOwnHint`: advice with
 * that before it, and whether it was done.
 */
import { oneOf } from '../../../text/one-of.ts';
import { commandOf } from '../../call-kind.ts';
import { callText } from '../../detector.ts';
import type { RecordedTurn } from '../recorded-turn.ts';
import type { FailureRecord } from './find-reason.ts';
import { mostFrequent } from '../repeated-turns.ts';

const HINT = oneOf(
  /^\W{0,4}(?:hint|help|tip|suggestion|fix)\b ?: ?\S.{8,}$|^\S{1,160}:\d+: note: .{10,}$/i,
  /^.{0,160}\b(?:perhaps|maybe|probably) you (?:meant|need|want|have|forgot)\b.*$/i,
  /^.{0,160}\b(?:did you (?:mean|forget)|have you tried|(?:you can|please) use .{2,80} instead)\b.*$/i,
  /^.{0,160}\byou (?:may|might|probably|should) (?:want|need|have) to\b.{3,}$|^.{0,200}\bbecause (?:it|the|of|you|your|this)\b.{3,}$/i,
  /^.{0,40}\bto (?:see|list|show) .{3,80}, (?:run|use|type):?\s*$/i,
  /^remote: .{0,120}\bmust (?:be|have|use|go|come)\b.{3,}$/i,
  /^.{0,120}\b(?:please (?:run|use|install|set|add|remove|specify)|(?:try|consider) (?:run|us|add|install|sett)ing)\b.{0,160}$/i,
);
/** A line of code that a compiler proposes. */
const PROPOSED = /^\d+\s+[+~]\s+\S/;
const DONE = /^[✔✓]/;
/** What a compiler says once with the first of such errors. */
const ONCE = /\breported only once\b/;
const SHOWN_CODE = /^\d+ +\|/;
const SAME_END = 80;
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
  const isHint = (line: string) =>
    (HINT.test(line) && !DONE.test(line) && !ONCE.test(line) && !SHOWN_CODE.test(line)) ||
    PROPOSED.test(line);
  const all = lines.flatMap((line, at) =>
    line.length <= LINE_CHARS && isHint(line) ? [sentenceFrom(lines, at)] : [],
  );
  // The same words may come from the log and from the program.
  const told = all.filter(
    (line, at) => !all.slice(at + 1).some((later) => later.endsWith(line.slice(-SAME_END))),
  );
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

/** A sentence that a line end cuts goes on in the next line. */
const CUT = /[a-z,]$/;
const GOES_ON = /^[a-z]/;
/** What to run stands alone on the next line, behind the mark of the program. */
const ANNOUNCES = /:$/;
const MARK = /(?<=^`?)\w+ (?:error|ERR!)\s+/i;

function sentenceFrom(lines: readonly string[], at: number): string {
  const [line = '', next = ''] = [lines[at], lines[at + 1]];
  if (ANNOUNCES.test(line)) return [line, `\`${next}\``].map((part) => part.replace(MARK, '')).join(' ');
  return CUT.test(line) && GOES_ON.test(next) && !HINT.test(next) ? `${line} ${next}` : line;
}

/** What a hint names so that a call can follow it: a command, a variable, an option, a program that has a page. */
const NAMED =
  /`([^`]{2,80})`|\b([A-Z][A-Z0-9]*_[A-Z0-9_]+)\b|(?<=\s)(--[a-z][\w-]+)|https?:\/\/(\w+-[\w-]+)\./g;
const OF_SERVER = /\bremote: (?:(?:error|warning): )?/g;

/** The call that did what the hint says, by what it names; null if none did. */
function followedHint(hint: string, { turns, failure: { first, last } }: FailureRecord): RecordedTurn | null {
  const names = [...hint.matchAll(NAMED)].map(
    (found) => found.slice(1).find((each) => each !== undefined) ?? '',
  );
  const says = ({ input, edit }: RecordedTurn) =>
    edit === null &&
    names.some(
      (name) => commandOf(input).includes(name) || commandOf(input).includes(name.replaceAll('-', ' ')),
    );
  const later = turns.find((turn) => turn.step > first.step && turn.callStep <= last.callStep && says(turn));
  return says(first) ? null : (later ?? null);
}

/** What to do first, with what the program itself says before it, and whether that was done. */
export function withOwnHint(told: string | null, record: FailureRecord): string | null {
  // What stands before the error is said with any error.
  const hint = ownHint(
    record.failure.turns.map(({ output, errorLine }) => output.slice(Math.max(0, output.indexOf(errorLine)))),
  );
  if (hint === null || told?.includes('ways out') === true) return told;
  const done = followedHint(hint, record);
  const said = `The program itself says: ${hint.replace(OF_SERVER, '')}${/[.?!]$/.test(hint) ? '' : '.'}`;
  const tried = done === null ? '' : ` That was done (\`${callText(done)}\`) and did not help.`;
  return `${said}${tried}${told === null ? '' : ` ${told}`}`;
}
