/** `judgeTests`: a failing test run. What its failing tests have in common is the cause; their names are never evidence. */
import { oneOf } from '../text/one-of.ts';
import type { Role } from './command/programs.ts';
import { type LineFinding, isOutside } from './finding.ts';
import { RETRIES } from './lines/line-patterns.ts';
import type { Shape } from './lines/shape.ts';
import type { Line } from './lines/read-lines.ts';
import type { Conclusion } from './weigh-findings.ts';

export interface TestVerdict {
  /** The runner itself says that tests failed. */
  readonly sure: boolean;
  readonly verdict: Conclusion;
}

/** Less is only mentioned. */
const SPOKEN = 0.4;

const FAILED_COUNT = oneOf(
  /(?:^|[^\d.:])[1-9]\d{0,6} (?:failed(?! \(\d+: )|failing|failures?|errors?|errored|tests? failed|broken)\b/i,
  /(?<!expected )\b(?:failures|errors|failed|fail)["']?[:=] ?[1-9]|^# fail [1-9]|^FAILED\b|^FAIL\b|^--- FAIL|^not ok \d/i,
  /test result: FAILED|Tests run: \d+, Failures: [1-9]|Failures: [1-9]|Errors: [1-9]|^# cancelled [1-9]/i,
  /[1-9]\d* failures?\b|\d+% tests passed, [1-9]/i,
  /\bfailed [1-9]\d{0,6} (?:and|of|out of|tests?|specs?|cases?|assertions?|checks?)\b/i,
  /\b[1-9]\d{0,6} (?:tests?|specs?|checks?|cases?) (?:have |has )?fail(?:ed|ing)\b/i,
);

/** Told after a run that failed: a later one did not. */
const NOW_PASS = /\b[Aa]ll (?:\d{1,7} |the |of the )?tests (?:now )?pass(?:ed)?\b/;

export function judgeTests(
  lines: readonly Line[],
  shapes: readonly Shape[],
  quoted: readonly boolean[],
  findings: readonly LineFinding[],
  roles: ReadonlySet<Role>,
): TestVerdict | null {
  if (!roles.has('test')) return null;
  const counted = lines.findLastIndex(
    (line, at) =>
      quoted[at] !== true &&
      shapes[at]?.kind !== 'pass' &&
      shapes[at]?.kind !== 'note' &&
      !RETRIES.test(line.text) &&
      line.text.length < 300 &&
      FAILED_COUNT.test(line.text),
  );
  const failedCount = counted >= 0 && !lines.slice(counted + 1).some(({ text }) => NOW_PASS.test(text));
  const marks = findings.filter((finding) => finding.shape.kind === 'test-mark');
  if (!failedCount && marks.length === 0) return null;

  const errors = besideMarks(
    findings.filter((finding) => isError(finding)),
    marks,
  );
  const outside = errors.filter((finding) => isOutside(finding.failureClass));
  const named = errors.filter(
    (finding) => finding.shape.name !== '' || finding.recogniser !== null || finding.authority > 0.7,
  );
  const first = named[0] ?? errors[0] ?? null;
  const parsing = named.filter(
    (finding) =>
      finding.recogniser?.id === 'build.parse' ||
      (finding.recogniser?.id === 'build.compile' && finding.shape.kind === 'diagnostic'),
  );
  const parse = parsing.find((finding) => finding.shape.kind === 'exception') ?? parsing[0];
  const shared = first !== null && outside.length > 0 && agree(errors, outside);
  if (shared) {
    const cause = outside[0] as LineFinding;
    return { sure: failedCount, verdict: { failureType: cause.failureClass, cause, support: 0.9 } };
  }
  if (parse !== undefined && first !== null && parsing[0] === first)
    return { sure: failedCount, verdict: { failureType: 'build_failure', cause: parse, support: 0.9 } };
  const said =
    named.find((finding) => finding.failureClass === 'test_failure' || finding.shape.kind === 'exception') ??
    first ??
    marks[0] ??
    findings.find(({ shape, authority }) => shape.kind !== 'wrapper' && authority >= SPOKEN) ??
    null;
  return {
    sure: failedCount,
    verdict: { failureType: 'test_failure', cause: markOf(said, marks), support: said === null ? 0.6 : 0.92 },
  };
}

/** Where the runner marks the tests that failed, their errors stand beside the marks; what was said long before is set-up. */
function besideMarks(errors: readonly LineFinding[], marks: readonly LineFinding[]): readonly LineFinding[] {
  if (marks.length === 0) return errors;
  const beside = errors.filter(({ at }) =>
    marks.some((mark) => at >= mark.at - ABOVE_MARK && at <= mark.at + BELOW_MARK),
  );
  return beside.length === 0 ? errors : beside;
}

/** Some runners print the error first and the mark below it, most the other way round. */
const ABOVE_MARK = 12;
const BELOW_MARK = 30;

/** `expected: 5` under `not ok 1 adds` is a detail; the mark says which test it is. */
function markOf(said: LineFinding | null, marks: readonly LineFinding[]): LineFinding | null {
  if (
    said === null ||
    !/^(?:# {0,9})?(?:expected|actual|got|wanted|severity|operator): /i.test(said.line.text)
  )
    return said;
  return (
    marks.findLast(
      ({ at, line }) => at < said.at && said.at - at <= DETAIL_LINES && /^not ok\b/.test(line.text),
    ) ?? said
  );
}

/** A mark and its block of details. */
const DETAIL_LINES = 10;

/** What a test threw: not its name, not what it logged, not the summary. */
function isError(finding: LineFinding): boolean {
  const { kind } = finding.shape;
  if (kind === 'exception') return finding.authority >= 0.6;
  if (kind === 'diagnostic') return finding.authority >= 0.4;
  if (kind === 'statement') return finding.authority >= 0.7 || finding.recogniser !== null;
  if (kind === 'test-mark') return finding.recogniser !== null;
  if (kind === 'text') return finding.recogniser !== null && finding.authority >= 0.4;
  return false;
}

/** A deadline explains a run only if nothing else failed; another cause explains it if it is the first and the most frequent. */
function agree(errors: readonly LineFinding[], outside: readonly LineFinding[]): boolean {
  const firstOutside = outside[0] as LineFinding;
  const telling = errors.filter((finding) => finding.recogniser !== null || finding.shape.name !== '');
  const same = outside.filter((finding) => finding.failureClass === firstOutside.failureClass).length;
  // One broken expectation is enough to make it a failing test; a nameless error is often how the deadline shows.
  if (firstOutside.failureClass === 'timeout')
    return (
      same * 2 >= telling.length &&
      telling.every((finding) =>
        finding.recogniser === null
          ? finding.shape.name === 'Error'
          : finding.failureClass !== 'test_failure',
      )
    );
  return same * 2 >= telling.length;
}
