/** `lastCheckTold`, `checkTold`, `newsTold`: what the last check of a run said, and when the run last got on. */
import type { Autopsy } from '../../core/detect/autopsy/autopsy.ts';
import { couldRun } from '../../core/detect/autopsy/transcript-reading.ts';
import type { AgentTurn } from '../../core/detect/agent-turn.ts';
import { callText, quote } from '../../core/detect/detector.ts';
import { changes } from '../../core/detect/staleness.ts';
import { counted } from '../../core/text/counted.ts';
import type { TranscriptEntry } from '../../core/vocabulary/transcript.ts';

const SUMMARY_CHARS = 2_000;
const PASSED = /^.{0,120}\b(?:\d+ (?:pass\w*|tests?|ok)|pass(?:ed)? \d+|ok)\b.{0,80}$/im;

export function lastCheckTold({ lastCheck: check }: Autopsy): string | null {
  if (check === null) return null;
  const how = !check.failed ? 'passed' : couldRun(check) ? 'failed' : 'could not run';
  return `\`${callText(check)}\` ${how} the last time${check.failed ? `: ${quote(check.errorLine)}` : ''}`;
}

export function checkTold(entries: readonly TranscriptEntry[], found: Autopsy): string {
  const { lastCheck: check, lastChange } = found;
  if (check === null) {
    const last = found.turns.at(-1);
    const red = found.turns.findLast((turn) => turn.failed && (turn.kind === 'run' || turn === last));
    const none = `The record shows ${found.turns.some(changes) ? '' : 'no change of a file and '}no check.`;
    return red === undefined
      ? none
      : `${none} \`${callText(red)}\` failed the last time: ${quote(red.errorLine)}`;
  }
  if (check.failed)
    return `Its last check ${couldRun(check) ? 'failed' : 'could not run'}: ${quote(check.errorLine)}`;
  const result = entries[check.step];
  const line = PASSED.exec(result?.type === 'tool_result' ? result.output.slice(-SUMMARY_CHARS) : '')?.[0];
  const said = line === undefined ? '' : `, ${quote(line.trim())}`;
  const passed = `Its last check passed: \`${callText(check)}\`${said}`;
  if (lastChange === null)
    return `${passed}. The record shows no change, so that proves nothing about the work.`;
  return lastChange.step > check.step
    ? `${passed}. Files were changed after it, so that proves nothing about them.`
    : `${passed}. That does not prove the work right.`;
}

/** Where no pattern is known, that is no proof of progress: how long ago a call last brought something new or changed something. */
export function newsTold(turns: readonly AgentTurn[], when: string): string {
  const seen = new Set<number>();
  let last = -1;
  for (const [at, turn] of turns.entries()) {
    const told = turn.failed ? turn.error : turn.result;
    if ((!turn.barren && turn.waiting === null && !seen.has(told)) || changes(turn)) last = at;
    seen.add(told);
  }
  const calls = turns.length - 1 - last;
  const since =
    calls === 0
      ? 'its last call brought something new'
      : `${counted(calls, 'call')} since the last new result`;
  return `No known pattern of being stuck${when}; ${since}`;
}
