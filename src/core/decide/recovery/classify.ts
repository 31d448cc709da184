/**
 * `classify`: tells which failure an ended attempt was. It trusts first the reason for which Mayday stopped it, then how the kernel says
 * it ended, then the agent's own envelope and output. A non-zero exit without more is a crash of the agent.
 */
import { isInterrupt, signalName } from '../../diagnose/command/exit-status.ts';
import type { Examination, IncidentClass } from '../../vocabulary/events/event.ts';
import type { Diagnosis } from '../../vocabulary/diagnosis.ts';
import type { FailureClass } from '../../vocabulary/classes/failure-class.ts';
import type { Attempt } from '../../state/run-state.ts';
import { type Signal, SIGNALS, stops } from '../../vocabulary/signal.ts';

/** Below this confidence, what the output says is not taken for the cause. */
const SURE_ENOUGH = 0.5;

export function classOfSignal({ type }: Signal): FailureClass {
  return SIGNALS[type].class;
}

export function stoppingSignal(attempt: Attempt): Signal | undefined {
  return attempt.signals.findLast((signal) => signal.severity === 'critical' && stops(signal));
}

/** The reason for which Mayday stopped the attempt; null if it ended in another way. */
export function stoppedFor(attempt: Attempt): Attempt['stoppedFor'] {
  if (attempt.endedBy !== 'mayday') return null;
  const signal = stoppingSignal(attempt);
  // In journals of older versions only the signal tells the reason.
  return attempt.stoppedFor ?? (signal ? { class: classOfSignal(signal), reason: signal.reason } : null);
}

export function classify(attempt: Attempt, examination: Examination): IncidentClass {
  const stopped = stoppedFor(attempt);
  if (stopped !== null) return stopped.class;
  if (attempt.endedBy === 'host') return 'interrupted';
  if (attempt.outOfMemory) return 'resource_exhausted';
  if (attempt.signal !== null) return isInterrupt(attempt.signal) ? 'interrupted' : 'crashed';
  const told = examination.diagnosis === null ? null : incidentClassOf(examination.diagnosis);
  if (isInterrupt(signalName(attempt.exitCode, null))) return told === 'rate_limited' ? told : 'interrupted';
  if (told !== null) return told;
  if (attempt.exitCode === 0) return 'false_success';
  return 'crashed';
}

export function incidentClassOf({ confidence, failureType }: Diagnosis): FailureClass | null {
  if (confidence < SURE_ENOUGH) return null;
  return failureType === 'success' || failureType === 'unknown' ? null : failureType;
}
