/** `continueAfterAnswer`: goes on after a person's answer: with the command that failed, with the delivery, otherwise with an attempt. */
import { openIncident, type RunState } from '../../state/run-state.ts';
import { retryFailedCommand } from '../question/retry-failed-command.ts';
import { deliverAgain } from '../on-delivery.ts';
import { planAttempt } from '../plan-attempt.ts';
import type { Turn } from '../turn.ts';

export function continueAfterAnswer(turn: Turn, before: RunState, note: string | null): void {
  turn.cancel('retry', 'question');
  if (retryFailedCommand(turn)) return;
  const { passed } = before.delivery;
  if (passed !== null) return deliverAgain(turn, passed);
  const last = openIncident(turn.state)?.recoveries.findLast(({ strategy }) => strategy !== 'escalate');
  // A restart that a person asked for is not counted, and their words stand in place of the hint.
  planAttempt(turn, last === undefined ? null : { ...last, counted: false, hint: null }, note);
}
