/** `goAgain`: where going on begins after a person's word: with what failed, with the delivery, otherwise with an attempt. */
import { openIncident, type RunState } from '../../state/run-state.ts';
import { askAgain } from '../question/ask-again.ts';
import { deliverAgain } from '../on-delivery.ts';
import { planAttempt } from '../plan-attempt.ts';
import type { Turn } from '../turn.ts';

export function goAgain(turn: Turn, before: RunState, note: string | null): void {
  turn.cancel('retry');
  turn.cancel('question');
  if (askAgain(turn)) return;
  const { passed } = before.delivery;
  if (passed !== null) return deliverAgain(turn, passed);
  const last = openIncident(turn.state)?.recoveries.findLast(({ strategy }) => strategy !== 'escalate');
  // A person's word costs no restart.
  planAttempt(turn, last === undefined ? null : { ...last, counted: false }, note);
}
