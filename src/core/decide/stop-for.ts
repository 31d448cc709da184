/** Mayday stops an attempt for a reason of its own, and that reason is the failure: not the signal that it sent. */
import type { IncidentClass } from '../vocabulary/event.ts';
import type { Turn } from './turn.ts';

export interface StopCause {
  readonly class: IncidentClass;
  /** In words that a person can read; the root cause of the incident. */
  readonly reason: string;
}

export function stopFor(turn: Turn, attempt: number, why: string, cause: StopCause): void {
  turn.decide({ type: 'stop_decided', attempt, why, by: 'mayday', cause });
  turn.command({ type: 'stop_attempt', attempt, why, by: 'mayday' });
}
