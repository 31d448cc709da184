/** `lineMark`, `statesFailure`, `saysWaiting`, `withoutNumbers`: what a line of a program says of the work, and when two say the same. */
import { inLines } from '../text/in-lines.ts';
import { complains } from '../text/complains.ts';
import { FAILED_COUNT } from '../text/failed-count.ts';
import { oneOf } from '../text/one-of.ts';
import { namesError } from './error-line.ts';
import { NO_FAILURE, saysNotYet } from './result-text.ts';
import { hashExact, hashLoose } from './text-hash.ts';

/** Dates, times of day, durations and the number of a try change by themselves. */
const CHANGES_BY_ITSELF = inLines('gi')`
  \b\d{1,4}[-/]\d{1,2}[-/]\d{1,4}|\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d{1,9})?|\d{1,12}(?:[.,]\d{1,12})? ?(?:[mnuµ]?s|secs?|seconds?|m|
  mins?|minutes?|h|hrs?|hours?)\b|(?:\b(?:attempt|try|retry|run|round|iteration|cycle) ?#?|#)\d{1,12}\b`;
/** Numbers that say how far the work is: how many failed, a share, one of so many. A line in which they move tells something new. */
const TELLS_HOW_FAR = oneOf(FAILED_COUNT, /\d ?%/i, /\b\d{1,12} ?(?:\/|of) ?\d/i);

/** A longer line is a document, and is compared as a whole. */
const LINE_CHARS = 400;

export function lineMark(line: string): number {
  if (line.length > LINE_CHARS || !/\d/.test(line)) return hashLoose(line);
  const lasting = line.replaceAll(CHANGES_BY_ITSELF, '0');
  return TELLS_HOW_FAR.test(lasting) ? hashExact(lasting) : hashLoose(withoutNumbers(lasting));
}

/** Times, numbers of lines and addresses change without meaning anything. */
export function withoutNumbers(line: string): string {
  return line.replace(/(?:0x)?\d[\d.,:]*(?:m?s\b)?/g, '0');
}

const NONE_COUNTED = /\b(?:errors?|fail(?:ed|ures?|ing)?|rejected|denied|missing)["']?\s?[:=]\s?0\b/gi;
/** The level of a log line. The first of the two decides: a program that only warns goes on. */
const LEVEL = inLines('')`
  \b(?:WARN(?:ING)?|INFO|DEBUG|TRACE|NOTICE)\b|\b[Ww]arning\b|^\W{0,3}(?:warn|info|debug|trace|notice)\b|"level": ?"(?:warn|info|debug|
  trace)|(?<error>\b(?:ERROR|FATAL|CRITICAL|SEVERE)\b|\bERR!|"level": ?"(?:error|fatal))`;

export function statesFailure(line: string): boolean {
  const told = line.replace(NO_FAILURE, '').replace(NONE_COUNTED, '');
  const level = LEVEL.exec(told);
  if (level !== null) return level.groups?.['error'] !== undefined;
  return FAILED_COUNT.test(told) || namesError(told) || (complains(told) && !saysWaiting(told));
}

/** What may be otherwise later without anybody's doing. The names of tests are written otherwise: "waits for the server". */
const WAITING = inLines('i')`
  \b(?:waiting|polling|sleeping|watching|idle|not (?:\w{1,20} )?yet)\b|\b(?:retry(?:ing)?|again|reconnect(?:ing)?) (?:in|after|
  every) \d|\bnot (?:ready|up|running|started|available|reachable|healthy|there|done|finished|complete)\b|\b(?:no|
  nothing) (?!such\b)(?:\w{1,20} ){0,3}(?:found|available|new|changed|left|to do)\b`;
/** Runners count the tests that they left out. */
const LEFT_OUT = /\d pending\b/i;

export function saysWaiting(line: string): boolean {
  return WAITING.test(line) || (saysNotYet(line) && !LEFT_OUT.test(line));
}
