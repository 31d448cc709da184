/** The public shape of an autopsy; keys are a contract. */
import type { Autopsy } from '../../core/detect/autopsy.ts';

export function verdictJson(found: Autopsy) {
  return {
    id: found.id,
    state: found.state,
    signals: found.signals.map((signal) => ({
      type: signal.type,
      severity: signal.severity,
      at_step: signal.atStep ?? null,
      since_step: signal.sinceStep ?? null,
      reason: signal.reason,
      evidence: signal.evidence,
      confidence: Math.round(signal.confidence * 100) / 100,
      suggested_action: signal.suggestedAction,
      disproof: signal.disproof ?? null,
    })),
    first_stuck_step: found.firstStuckStep,
    class: found.class,
    root_cause: found.rootCause,
    suspected_step: found.suspectedStep,
    wasted_steps: found.wastedSteps,
    next: found.next,
  };
}
