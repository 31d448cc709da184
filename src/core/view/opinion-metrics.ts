/** `opinionMetrics`: the opinions of a run for reports: what each claimed, and whether what happened next bore it out. */
import type { RunState } from '../state/run-state.ts';
import { jsonObject } from '../text/json.ts';
import { costOf, type GivenOpinion } from '../vocabulary/opinion.ts';
import { isProven } from '../gates/delivery-proof.ts';

export interface OpinionMetrics {
  readonly by: string;
  readonly kind: string;
  /** Null: there was no answer. */
  readonly confidence: number | null;
  readonly cost: number;
  /** Null: nothing has borne it out or refuted it. */
  readonly cameTrue: boolean | null;
}

export function opinionMetrics(state: RunState): readonly OpinionMetrics[] {
  return state.opinions.map((given) => {
    const { outcome } = given;
    const { by, kind } = outcome.type === 'answered' ? outcome.opinion : outcome;
    return {
      by,
      kind,
      confidence: outcome.type === 'answered' ? outcome.opinion.confidence : null,
      cost: costOf(outcome) ?? 0,
      cameTrue: cameTrue(state, given),
    };
  });
}

/** Of a class, the incident of the attempt tells: only one that was resolved shows that its class was handled rightly. */
function cameTrue(state: RunState, { outcome, attempt }: GivenOpinion): boolean | null {
  if (outcome.type !== 'answered' || outcome.opinion.kind !== 'diagnose') return null;
  const named = jsonObject(outcome.opinion.answer)['class'];
  const incident = state.incidents.find((one) => one.attempt === attempt);
  if (incident === undefined) return isProven(state) ? named === 'success' : null;
  return incident.outcome === 'resolved' ? named === incident.class : null;
}
