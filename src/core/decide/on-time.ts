/** What passes with time alone. */
import { openIncident, type RunState } from '../run-state.ts';
import { incidentFor } from './incident.ts';
import { deliverAgain, end } from './on-gate.ts';
import { planAttempt } from './plan-attempt.ts';
import type { Turn } from './turn.ts';

export function timerFired(turn: Turn, name: string): void {
  switch (name) {
    case 'retry':
      if (turn.state.passed !== null) return deliverAgain(turn);
      return planAttempt(turn, openIncident(turn.state)?.recoveries.at(-1) ?? null, null);
    case 'timeout':
      return timedOut(turn);
    case 'question':
      return end(turn, 'abandoned', 'nobody answered the question by its deadline');
    default:
  }
}

function timedOut(turn: Turn): void {
  const { life, policy }: RunState = turn.state;
  if (life.type !== 'working') return;
  const why = `timeout: still running after its limit of ${Math.round(policy.timeout_ms / 1000)} s`;
  incidentFor(turn, 'timeout', life.attempt, turn.at);
  turn.decide({ type: 'stop_decided', attempt: life.attempt, why, by: 'mayday' });
  turn.command({ type: 'stop_attempt', attempt: life.attempt, why, by: 'mayday' });
}
