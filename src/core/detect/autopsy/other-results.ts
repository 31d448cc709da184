/**
 * `otherResults`: the runs of a failing check, between its first failure and its last, that ended in another way: they passed, showed
 * another value, or failed with something else. Where there is one, the edits did make a difference. `tellOthers`: in words. `inRecord`,
 * `timesInAll`: all of the record that is what repeats, and how often exactly that came.
 */
import { FAILED_COUNT } from '../../text/failed-count.ts';
import { oneOf } from '../../text/one-of.ts';
import { commandOf } from '../call-kind.ts';
import { checkOf } from '../check-mark.ts';
import { quote } from '../detector.ts';
import { namesError } from '../error-line.ts';
import { type RecordedTurn, passes } from './recorded-turn.ts';
import { editsFile, failsOtherwise, occurrences, type Repeated, repeatedBy } from './repeated-turns.ts';

export interface OtherResult {
  readonly turn: RecordedTurn;
  /** The call, counted from 1. */
  readonly call: number;
  readonly told: string;
}

export function otherResults(
  turns: readonly RecordedTurn[],
  { kind, turn: failing, turns: members, first, last }: Repeated,
): readonly OtherResult[] {
  if (editsFile(failing) || !failing.failed) return [];
  const checks = new Set(members.map(checkOf).filter((check) => check !== 0));
  return turns.flatMap((turn, at) => {
    if (turn.step < first.step || turn.step > last.step || !checks.has(checkOf(turn))) return [];
    // One complaint has many wordings.
    const isKnown = kind === 'complaint' && members.includes(turn);
    const told = isKnown ? null : otherwise(turn, failing);
    return told === null ? [] : [{ turn, call: at + 1, told }];
  });
}

/** How a run of the check ended, if that is not as it usually fails; null also if its output does not tell. */
function otherwise(turn: RecordedTurn, failing: RecordedTurn): string | null {
  if (!turn.failed) return hasPassed(turn) ? 'passed' : null;
  const usual = lasting(failing.errorLine);
  // A result that is bad only by what it shows is told by the line of another call.
  const isTold = turn.sameResult !== 'hidden' && lasting(turn.errorLine) === usual;
  const isEnded = turn.ended !== null && turn.ended === failing.ended;
  if (
    usual === '' ||
    isTold ||
    isEnded ||
    turn.output.split('\n').some((line) => lasting(line).includes(usual))
  )
    return null;
  return valueIn(turn, usual) ?? (isOtherFailure(turn, failing) ? turn.errorLine : null);
}

/** How many failed, or that something did: another view of a failure, not another failure. */
const TELLS_NOTHING = oneOf(
  /\b\d+ (?:passed|failed|failing|failures?|errors?|tests?)\b|^[\W\d]*$/i,
  /\bexit(?:ed)? (?:code|status|with)\b|^make\b.*\bError \d|ELIFECYCLE|^npm (?:ERR|error)/i,
);

/** A filter may hide a failure: where the command lines differ, the line has to name another one. */
function isOtherFailure(turn: RecordedTurn, failing: RecordedTurn): boolean {
  const isSameView = commandOf(turn.input) === commandOf(failing.input);
  return (
    turn.error !== failing.error &&
    (isSameView || namesError(turn.errorLine)) &&
    !TELLS_NOTHING.test(turn.errorLine)
  );
}

const SHORTEST = 12;

/** In other lines another number tells of the run (a request, a process), not of the work. */
const COMPARES = /\b(?:assert\w*|expected|actual|received|got|want|but was)\b|[!=]=/i;

/** The line of the failure with another value in it. */
function valueIn({ output }: RecordedTurn, usual: string): string | null {
  if (usual.length < SHORTEST || !COMPARES.test(usual)) return null;
  const line = output.split('\n').find((each) => numberless(lasting(each)) === numberless(usual));
  return line?.trim().replace(MARK, '') ?? null;
}

/** What is another number in each run: times, places in a file, addresses, ports, processes. */
const OF_ONE_RUN = oneOf(
  /\b\d+(?:\.\d+)? ?(?:ms|µs|s|secs?|seconds?|m|min|minutes?)\b|\b\d\d:\d\d:\d\d(?:\.\d+)?\b|\b\d{4}-\d\d-\d\d\b/gi,
  /(?<=\.\w{1,6}|localhost|\d):\d+(?::\d+)?|\(\d+,\d+\)|\bline \d+|\/tmp\/\S+|\b(?:pid|process|port)\W{0,2}\d+/gi,
  /@[\da-f]+\b|\b0x[\da-f]+\b|\b(?=\d*[a-f])(?=[a-f]*\d)[\da-f]{6,}\b|\b\d{10,}\b/gi,
);
/** What a runner puts before a line. */
const MARK = /^(?:E|>|\|) +/;

function lasting(line: string): string {
  return line.trim().replace(MARK, '').replace(OF_ONE_RUN, '…').replace(/\s+/g, ' ');
}

function numberless(line: string): string {
  return line.replace(/\d+(?:\.\d+)?/g, '0');
}

const SAYS_PASSED = /\b(?:pass\w*|ok|success\w*)\b/i;

/** Behind a pipe the end of a check tells nothing: its words have to. */
function hasPassed(turn: RecordedTurn): boolean {
  return (
    turn.kind === 'test' &&
    passes(turn) &&
    (!/[^|]\|[^|]/.test(commandOf(turn.input)) || SAYS_PASSED.test(turn.output)) &&
    !FAILED_COUNT.test(turn.output)
  );
}

const SHOWN = 3;

/** "call 11: …; call 33: passed". */
export function tellOthers(others: readonly OtherResult[]): string {
  // One of each kind, and the passes: they tell most.
  const each = [...new Map(others.toReversed().map((other) => [other.told, other])).values()];
  const shown = each
    .toSorted((a, b) => Number(b.told === 'passed') - Number(a.told === 'passed'))
    .slice(0, SHOWN);
  const told = shown
    .toSorted((a, b) => a.call - b.call)
    .map((other) => `call ${other.call}: ${quote(other.told).replace(/\.+$/, '')}`);
  return `${told.join('; ')}${each.length > SHOWN ? '; …' : ''}`;
}

/** A stretch begins after the last progress; what repeats may have come before. */
export function inRecord(turns: readonly RecordedTurn[], repeats: Repeated): Repeated {
  const { kind, key, turn } = repeats;
  if (failsOtherwise(repeats)) return repeats;
  // One error is the same whichever tool shows it.
  const isError =
    (kind === 'error' || kind === 'check') &&
    turn.failed &&
    turn.ended === null &&
    turn.sameResult !== 'hidden';
  const all = isError
    ? turns.filter((each) => each.failed && each.error === turn.error)
    : occurrences(turns, repeats);
  return repeatedBy(kind, key, all, turn);
}

/** What the record tells as "N times". */
export function timesInAll(turns: readonly RecordedTurn[], repeats: Repeated): number {
  const whole = inRecord(turns, repeats);
  if (failsOtherwise(repeats) || repeats.kind === 'look') return whole.turns.length;
  const others = new Set(otherResults(turns, whole).map((other) => other.turn));
  return whole.turns.filter((each) => !others.has(each)).length;
}
