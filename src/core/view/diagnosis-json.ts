/** `diagnosisJson`, `recoveryJson`: the public document of a diagnosis. Keys are promised: add, never rename. */
import { opinionKeys } from '../opinion/opinion-json.ts';
import type { Diagnosis } from '../vocabulary/diagnosis.ts';

export function recoveryJson(diagnosis: Diagnosis) {
  return {
    root_cause: diagnosis.rootCause,
    recoverable: diagnosis.recoverable,
    recovery_plan: diagnosis.recoveryPlan,
    human_instructions: diagnosis.humanInstructions,
    suggested_actions: diagnosis.suggestedActions,
    escalation_reason: diagnosis.escalationReason,
  };
}

export function diagnosisJson(diagnosis: Diagnosis) {
  return {
    failure_type: diagnosis.failureType,
    ...recoveryJson(diagnosis),
    transient: diagnosis.transient,
    category: diagnosis.category,
    concern: diagnosis.concern,
    return_to: diagnosis.returnTo,
    scope: diagnosis.scope,
    retry_at: diagnosis.retryAt === null ? null : new Date(diagnosis.retryAt).toISOString(),
    confidence: diagnosis.confidence,
    evidence: diagnosis.evidence.map(({ line, text }) => ({ line, text })),
    hypotheses: diagnosis.hypotheses.map(({ cause, test }) => ({ cause, test })),
    step: diagnosis.step ?? null,
    workspace: (diagnosis.workspace ?? []).map(({ path, line, text }) => ({ path, line, text })),
    fingerprint: diagnosis.fingerprint,
    pattern: diagnosis.pattern ?? null,
    ...opinionKeys(diagnosis.opinion ?? null, diagnosis.noOpinion ?? 'nobody was asked'),
  };
}
