/** `stopFor`, `stopForSignal`, `stopByWord`, `stopAgain`: stop an attempt, for a reason of Mayday or of a person. */
import { liveAttempt } from '../state/run-state.ts';
import type { IncidentClass } from '../vocabulary/events/event.ts';
import { type Signal, SIGNALS } from '../vocabulary/signal.ts';
import { incidentFor } from './recovery/incident.ts';
import type { Turn } from './turn.ts';

interface StopCause {
  readonly class: IncidentClass;
  /** The root cause of the incident, in words that a person can read. */
  readonly reason: string;
}

/** The recorded cause is the failure, not the signal that Mayday sent. */
export function stopFor(turn: Turn, attempt: number, why: string, cause: StopCause): void {
  stop(turn, attempt, why, { by: 'mayday', cause });
}

export function stopForSignal(turn: Turn, attempt: number, signal: Signal): void {
  const { class: name, isNamedByNote } = SIGNALS[signal.type];
  if (isNamedByNote !== true) incidentFor(turn, name, attempt, signal.at);
  stopFor(turn, attempt, `${signal.type}: ${signal.reason}`, { class: name, reason: signal.reason });
}

export function stopByWord(turn: Turn, attempt: number, why: string, withinMs?: number): void {
  stop(turn, attempt, why, { by: 'person' }, withinMs);
}

/** A process that should have ended is still alive: it is stopped before anything else happens. */
export function stopAgain(turn: Turn, why: string): void {
  const live = liveAttempt(turn.state);
  if (live === undefined) return;
  turn.cancel('question');
  stop(turn, live.number, why, { by: 'mayday' });
}

function stop(
  turn: Turn,
  attempt: number,
  why: string,
  whose: { readonly by: 'mayday' | 'person'; readonly cause?: StopCause },
  withinMs?: number,
): void {
  const limit = withinMs === undefined ? {} : { withinMs };
  turn.decide({ type: 'stop_decided', attempt, why, ...whose, ...limit });
  turn.command({ type: 'stop_attempt', attempt, why, by: whose.by, ...limit });
}
