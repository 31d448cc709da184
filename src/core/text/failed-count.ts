/** `FAILED_COUNT`: a line in which a test runner says that tests failed. `neverBegan`: a check that could not begin says so. */
import { inLines } from './in-lines.ts';

export const FAILED_COUNT = inLines('i')`
  (?:^|[^\d.:])[1-9]\d{0,6} (?:failed(?! \(\d+: )|failing|failures?|errors?|errored|tests? failed|broken)\b|(?<!expected )\b(?:failures|
  errors|failed|fail)["']?(?:[:=]| ›) ?[1-9]|^(?:#|ℹ) fail [1-9]|^FAILED\b|^FAIL\b|^--- FAIL|^not ok \d|test result: FAILED|
  Tests run: \d+, Failures: [1-9]|Failures: [1-9]|Errors: [1-9]|^(?:#|ℹ) cancelled [1-9]|[1-9]\d* failures?\b|\d+% tests passed, [1-9]|
  \bfailed [1-9]\d{0,6} (?:and|of|out of|tests?|specs?|cases?|assertions?|checks?)\b|\b[1-9]\d{0,6} (?:tests?|specs?|checks?|
  cases?) (?:have |has )?fail(?:ed|ing)\b`;

const NOT_BEGUN = inLines('i')`
  \b(?:connection refused|ECONNREFUSED|could not (?:translate|resolve) host|connection to server .{0,160} failed)\b|
  \berror occurred (?:while loading|outside of examples)\b`;
const BEGUN = inLines('im')`
  \b[1-9]\d{0,6} (?:tests? |specs? )?(?:pass(?:ed|ing)?|examples?|tests?|specs?|ok)\b|^(?:ok|PASS)\s|\bBUILD SUCCESS`;

/** The summary of such a check counts no failure, and a pipe may cut it off. */
export function neverBegan(output: string): boolean {
  return NOT_BEGUN.test(output) && !BEGUN.test(output);
}
