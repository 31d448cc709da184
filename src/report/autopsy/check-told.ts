/** `checkTold`: what the record tells about the work of a run that was not stuck. */
import type { Autopsy } from '../../core/detect/autopsy/autopsy.ts';
import { couldRun } from '../../core/detect/autopsy/transcript-reading.ts';
import { callText, quote } from '../../core/detect/detector.ts';
import { changes } from '../../core/detect/detectors/staleness.ts';
import type { TranscriptEntry } from '../../core/vocabulary/transcript.ts';

const SUMMARY_CHARS = 2_000;
const PASSED = /^.{0,120}\b(?:\d+ (?:pass\w*|tests?|ok)|pass(?:ed)? \d+|ok)\b.{0,80}$/im;

export function checkTold(entries: readonly TranscriptEntry[], found: Autopsy): string {
  const { lastCheck: check, lastChange } = found;
  if (check === null && !found.turns.some(changes))
    return 'It changed no file, and nothing checked its answer: compare that with its sources.';
  if (check === null) return 'No check was ever run, as far as the record tells: run the tests.';
  if (check.failed)
    return `Its last check ${couldRun(check) ? 'failed' : 'could not run'}: ${quote(check.errorLine)}`;
  const result = entries[check.step];
  const line = PASSED.exec(result?.type === 'tool_result' ? result.output.slice(-SUMMARY_CHARS) : '')?.[0];
  const said = line === undefined ? '' : `, ${quote(line.trim())}`;
  const since = lastChange !== null && lastChange.step > check.step ? ' Files were changed after it.' : '';
  return `Its last check passed: \`${callText(check)}\`${said}.${since} That does not prove the work right.`;
}
