/** `otherFindings`, `namedOthers`: other places that a checker or compiler finds fault with, other tests that failed. */
import { inLines } from '../text/in-lines.ts';
import { fewNames } from '../text/few-names.ts';
import { FAILURE_CLASSES } from '../vocabulary/classes/failure-class.ts';
import { causeMessage } from './cause-message.ts';
import { placeNear } from './facts.ts';
import type { CauseVerdict } from './find-cause.ts';
import type { LineFinding } from './finding.ts';
import type { Line } from './lines/read-lines.ts';

export interface OtherFinding {
  readonly message: string;
  /** Empty where only a message is told. */
  readonly place: string;
}

/** A longer report is not read to its end. */
const READ = 400;
/** It points to another message, or to where something was before. */
const REMARK =
  /^\.{3}|\bsee (?:the|above)\b|\b(?:previous|first|original) (?:defin|declar)|(?:declared|defined) here/i;
/** Less is told in another grade: a remark beside an error. */
const GRADE = 0.1;

export function otherFindings(
  verdict: CauseVerdict,
  test: string,
  lines: readonly Line[],
): readonly OtherFinding[] {
  const { cause, failureType } = verdict;
  const tests = failureType === 'test_failure' ? otherTests(verdict, test) : [];
  if (tests.length > 0 || cause === null || failureType === 'success' || cause.shape.kind !== 'diagnostic')
    return tests;
  const enough = cause.authority - GRADE;
  const own = told(cause);
  const seen = new Set([`${own.place} ${own.message}`]);
  const others: OtherFinding[] = [];
  for (const finding of verdict.findings.slice(0, READ)) {
    const { shape, authority, failureClass } = finding;
    if (shape.kind !== 'diagnostic' || shape.level !== cause.shape.level || authority < enough) continue;
    if (FAILURE_CLASSES[failureClass].inDiagnostics !== true || !/\w/.test(shape.message)) continue;
    const other = told(finding);
    const key = `${other.place} ${other.message}`;
    if (seen.has(key) || REMARK.test(other.message)) continue;
    seen.add(key);
    others.push(other);
  }
  return others;

  function told(finding: LineFinding): OtherFinding {
    const { file, row } = finding.shape.row > 0 ? placeNear(finding, lines) : { file: '', row: 0 };
    return { message: causeMessage(finding, lines), place: row > 0 ? `${file}:${row}` : '' };
  }
}

const MARK = inLines('')`
  ^(?:--- FAIL: |FAILED (?=\S{1,300}::)|not ok \d{1,6} (?:- )?|
  \[-\] (?:- )?)(?<name>\S[^#]{0,200}?)(?: \(?[\d.]+m?s\)?(?: \(.{1,40}\))?| -> .{0,400}| - .{0,400}| #.{0,200})?$`;

/** The other tests that the runner marks as failed; a part of the test, or what it is a part of, is no other. */
function otherTests({ cause, findings }: CauseVerdict, test: string): readonly OtherFinding[] {
  const names = findings
    .filter(({ line }) => line !== cause?.line)
    .slice(0, READ)
    .map(({ line }) => MARK.exec(line.text)?.groups?.['name'] ?? '')
    .filter((name) => name !== '' && (test === '' || !(name.includes(test) || test.startsWith(`${name}/`))));
  return [...new Set(names)].map((message) => ({ message, place: '' }));
}

/** For a plan that names the place of the cause already. */
export function namedOthers(others: readonly OtherFinding[], own: string): string {
  const places = [...new Set(others.map(({ place }) => place))].filter(
    (place) => place !== '' && place !== own,
  );
  if (places.length > 0) return fewNames(places);
  return others.length > 1
    ? `the other ${others.length} findings there`
    : others.length === 1
      ? 'the other finding there'
      : '';
}
