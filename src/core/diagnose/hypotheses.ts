/**
 * `hypothesesFor`: other explanations, each with the test that would confirm it: first the second reading of the lines, then what such
 * failures often hide.
 */
import type { Hypothesis } from '../vocabulary/diagnosis.ts';
import { FAILURE_CLASSES } from '../vocabulary/classes/failure-class.ts';
import type { CauseFacts } from './facts.ts';
import type { CauseVerdict } from './find-cause.ts';

/** A person weighs three hypotheses, not more. */
const MOST = 3;

export function hypothesesFor(verdict: CauseVerdict, facts: CauseFacts): readonly Hypothesis[] {
  if (verdict.failureType === 'success') return [];
  const list: Hypothesis[] = [];
  const other = verdict.findings.find(
    (finding) =>
      finding.failureClass !== verdict.failureType && finding.authority >= 0.6 && finding.recogniser !== null,
  );
  if (other !== undefined)
    list.push({
      cause: `${other.failureClass}: ${other.line.text.slice(0, 160)}`,
      test: `line ${other.line.number} appears also without the line that was taken as the cause`,
    });
  const host = facts.host === '' ? 'the service' : facts.host;
  for (const [cause, test] of FAILURE_CLASSES[verdict.failureType].hypotheses)
    list.push({ cause: cause.replaceAll('{host}', host), test: test.replaceAll('{host}', host) });
  return list.slice(0, MOST);
}
