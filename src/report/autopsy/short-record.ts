/**
 * `shortSummary`, `lastFailureFacts`: what a record that is too short for a story still tells: the call that failed last, its cause, and
 * what to do.
 */
import type { Autopsy } from '../../core/detect/autopsy/autopsy.ts';
import type { RecordedTurn } from '../../core/detect/autopsy/recorded-turn.ts';
import { commandOf } from '../../core/detect/call-kind.ts';
import { callText, quote } from '../../core/detect/detector.ts';
import { diagnose } from '../../core/diagnose/diagnose.ts';

function lastFailure({ state, turns }: Autopsy): RecordedTurn | null {
  return state === 'unknown' ? (turns.findLast(({ failed }) => failed) ?? null) : null;
}

export function shortSummary(found: Autopsy): string {
  const turn = lastFailure(found);
  const last = turn === null ? '' : ` Last, \`${callText(turn)}\` failed: ${quote(turn.errorLine)}`;
  return `There is too little in this record to say how it went.${last}`;
}

export function lastFailureFacts(found: Autopsy): readonly [string, string][] {
  const turn = lastFailure(found);
  if (turn === null) return [];
  const { failureType, rootCause, recoveryPlan, humanInstructions } = diagnose({
    output: turn.output,
    command: commandOf(turn.input),
    exitCode: null,
  });
  if (failureType === 'unknown' || failureType === 'success') return [];
  const next = recoveryPlan ?? humanInstructions;
  return [['Cause', rootCause], ...(next === null ? [] : [['Next', next] as [string, string]])];
}
