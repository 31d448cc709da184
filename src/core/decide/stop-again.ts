/** A process that should be gone is still there: it is ended before anything else happens. */
import { liveAttempt } from '../state/run-state.ts';
import type { Turn } from './turn.ts';

export function stopAgain(turn: Turn, why: string): void {
  const live = liveAttempt(turn.state);
  if (live === undefined) return;
  turn.cancel('question');
  turn.decide({ type: 'stop_decided', attempt: live.number, why, by: 'mayday' });
  turn.command({ type: 'stop_attempt', attempt: live.number, why, by: 'mayday' });
}
