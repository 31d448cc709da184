/**
 * `nudgeFirst`, `nudgeUnheard`: before an agent is stopped for a loop it is told once what Mayday sees, where its CLI lets it be told
 * while it works.
 *
 *   critical signal -> nudge decided -> heard: the loop counts anew; the next critical signal stops the attempt
 *                                    -> not heard within `nudge_wait_ms`: the attempt is stopped
 */
import { currentAttempt } from '../state/run-state.ts';
import { marksTold, quoteFenced } from '../text/quote-fenced.ts';
import { type Signal, SIGNALS } from '../vocabulary/signal.ts';
import { stoppingSignal } from './recovery/classify.ts';
import { stopForSignal } from './stop-attempt.ts';
import type { Turn } from './turn.ts';

export const NUDGE_TIMER = 'nudge';

/** True: the agent is told, or the message waits for it, and nothing is stopped now. */
export function nudgeFirst(turn: Turn, signal: Signal): boolean {
  const attempt = currentAttempt(turn.state);
  const { nudge_wait_ms: waitMs } = turn.state.policy;
  const { nudge: advice } = SIGNALS[signal.type];
  if (attempt?.takesNudges !== true || advice === undefined) return false;
  // A run of an older version has no such limit.
  if (!(waitMs > 0)) return false;
  if (attempt.nudge !== null) return attempt.nudge.heardAt === null;
  const text = nudgeText(signal.reason, advice, turn.mark);
  turn.decide({ type: 'nudge_decided', attempt: attempt.number, signal: signal.type, text });
  turn.command({ type: 'nudge_attempt', attempt: attempt.number, text });
  turn.timer(NUDGE_TIMER, turn.at + waitMs);
  return true;
}

export function nudgeUnheard(turn: Turn): void {
  const attempt = currentAttempt(turn.state);
  const signal = attempt === undefined ? undefined : stoppingSignal(attempt);
  if (attempt?.nudge?.heardAt === null && signal !== undefined) stopForSignal(turn, attempt.number, signal);
}

function nudgeText(reason: string, advice: string, mark: string): string {
  return [
    'Mayday watches this run and sees that you go round in circles:',
    `${quoteFenced(reason, mark)} (${marksTold(mark).trim()})`,
    `What to do: ${advice}.`,
    'If you cannot get on, write what blocks you, as your brief says, and end. If this goes on, you will be stopped.',
  ].join('\n');
}
