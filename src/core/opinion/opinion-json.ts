/** `opinionJson`: the public keys of an opinion, beside what is proven. */
import type { Opinion, OpinionOutcome } from '../vocabulary/opinion.ts';

export function opinionJson({ by, kind, answer, quotes, checked, confidence, costUsd }: Opinion) {
  return { by, kind, answer, quotes, checked, confidence, cost_usd: costUsd };
}

/** `outcome` is null where nobody was asked; `why` then says why not. */
export function opinionKeys(outcome: OpinionOutcome | null, why: string) {
  if (outcome?.type === 'answered') return { opinion: opinionJson(outcome.opinion) };
  return { opinion: null, no_opinion: outcome === null ? why : outcome.reason };
}
