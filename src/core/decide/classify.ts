/**
 * Which failure an ended attempt was. Ranked by trust: what Mayday stopped it for, how the kernel says it ended, what
 * the agent's own envelope and output say; a bare non-zero exit is a crash of the agent.
 */
import type { Examination, IncidentClass } from '../vocabulary/event.ts';
import type { FailureClass } from '../vocabulary/failure-class.ts';
import type { Attempt } from '../state/run-state.ts';
import type { Signal, SignalType } from '../vocabulary/signal.ts';

const SIGNAL_CLASS: Readonly<Record<SignalType, FailureClass>> = {
  exited: 'crashed',
  killed: 'crashed',
  out_of_memory: 'resource_exhausted',
  frozen: 'frozen',
  unkillable: 'frozen',
  vanished: 'crashed',
  stalled: 'stalled',
  waiting_for_input: 'waiting_for_input',
  timeout: 'timeout',
  overdue: 'timeout',
  looping: 'looping',
  repeated_error: 'looping',
  monologue: 'looping',
  no_novelty: 'looping',
  edit_undo: 'looping',
  test_repeat: 'looping',
  tool_missing: 'missing_dependency',
  compaction_loop: 'context_overflow',
  denied_again: 'permission_denied',
  budget: 'budget_exhausted',
  retries: 'unknown',
  false_success: 'false_success',
  scope_drift: 'looping',
  subagent_hang: 'stalled',
  output_capped: 'looping',
  blocker_raised: 'waiting_for_input',
  git_config_changed: 'unknown',
};
const INTERRUPTS = new Set(['SIGINT', 'SIGTERM', 'SIGHUP']);
const INTERRUPT_CODES = new Set([129, 130, 143]);
/** Below this the output's word is not taken for the cause. */
const SURE_ENOUGH = 0.5;

export function classOfSignal(signal: Signal): FailureClass {
  return SIGNAL_CLASS[signal.type];
}

/** Critical, but about the run or its limits and not about this attempt's health: people are told, the ladder acts at the next end. */
const ALERT_ONLY: ReadonlySet<SignalType> = new Set([
  'retries',
  'overdue',
  'budget',
  'scope_drift',
  'output_capped',
  'git_config_changed',
  // A claim is judged by the gate; who claims is about to end anyway.
  'false_success',
]);

export function stops({ type }: Signal): boolean {
  return !ALERT_ONLY.has(type);
}

export function stoppingSignal(attempt: Attempt): Signal | undefined {
  return attempt.signals.findLast((signal) => signal.severity === 'critical' && stops(signal));
}

/** What Mayday ended it for; null where it ended in another way. */
export function stoppedFor(attempt: Attempt): Attempt['stoppedFor'] {
  if (attempt.endedBy !== 'mayday') return null;
  const signal = stoppingSignal(attempt);
  // Journals of older versions tell the reason only by the signal.
  return attempt.stoppedFor ?? (signal ? { class: classOfSignal(signal), reason: signal.reason } : null);
}

export function classify(attempt: Attempt, examination: Examination): IncidentClass {
  const stopped = stoppedFor(attempt);
  if (stopped !== null) return stopped.class;
  if (attempt.outOfMemory) return 'resource_exhausted';
  if (attempt.signal !== null) return INTERRUPTS.has(attempt.signal) ? 'interrupted' : 'crashed';
  const told = toldBy(examination);
  if (attempt.exitCode !== null && INTERRUPT_CODES.has(attempt.exitCode))
    return told === 'rate_limited' ? told : 'interrupted';
  if (told !== null) return told;
  if (attempt.exitCode === 0) return 'false_success';
  return 'crashed';
}

function toldBy({ diagnosis }: Examination): FailureClass | null {
  if (diagnosis === null || diagnosis.confidence < SURE_ENOUGH) return null;
  const { failureType } = diagnosis;
  return failureType === 'success' || failureType === 'unknown' ? null : failureType;
}
