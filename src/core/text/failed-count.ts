/** `FAILED_COUNT`: a line in which a test runner says that tests failed. `neverBegan`: a check that could not begin says so. */
import { oneOf } from './one-of.ts';

export const FAILED_COUNT = oneOf(
  /(?:^|[^\d.:])[1-9]\d{0,6} (?:failed(?! \(\d+: )|failing|failures?|errors?|errored|tests? failed|broken)\b/i,
  /(?<!expected )\b(?:failures|errors|failed|fail)["']?(?:[:=]| ›) ?[1-9]|^(?:#|ℹ) fail [1-9]|^FAILED\b|^FAIL\b|^--- FAIL|^not ok \d/i,
  /test result: FAILED|Tests run: \d+, Failures: [1-9]|Failures: [1-9]|Errors: [1-9]|^(?:#|ℹ) cancelled [1-9]/i,
  /[1-9]\d* failures?\b|\d+% tests passed, [1-9]/i,
  /\bfailed [1-9]\d{0,6} (?:and|of|out of|tests?|specs?|cases?|assertions?|checks?)\b/i,
  /\b[1-9]\d{0,6} (?:tests?|specs?|checks?|cases?) (?:have |has )?fail(?:ed|ing)\b/i,
);

const NOT_BEGUN = oneOf(
  /\b(?:connection refused|ECONNREFUSED|could not (?:translate|resolve) host|connection to server .{0,160} failed)\b/i,
  /\berror occurred (?:while loading|outside of examples)\b/i,
);
const BEGUN = oneOf(
  /\b[1-9]\d{0,6} (?:tests? |specs? )?(?:pass(?:ed|ing)?|examples?|tests?|specs?|ok)\b/im,
  /^(?:ok|PASS)\s|\bBUILD SUCCESS/im,
);

/** The summary of such a check counts no failure, and a pipe may cut it off. */
export function neverBegan(output: string): boolean {
  return NOT_BEGUN.test(output) && !BEGUN.test(output);
}
