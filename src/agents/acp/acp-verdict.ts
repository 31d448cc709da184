/** `acpVerdict`: what the end of an ACP attempt means. The protocol names some ends; the rest is read like the end of any agent CLI. */
import type { AttemptFacts, Verdict } from '../adapter.ts';
import { type EndingHabits, endingVerdict } from '../ending-verdict.ts';

const HABITS: EndingHabits = {
  title: 'the agent',
  stops: {
    cancelled: ['interrupted', 'the turn was cancelled'],
    refusal: ['model_refusal', 'the model refused to go on'],
    max_tokens: ['context_overflow', 'the answer reached the limit of tokens'],
    max_turn_requests: ['budget_exhausted', 'the turn reached the limit of requests'],
  },
};

export function acpVerdict(facts: AttemptFacts): Verdict {
  return endingVerdict(HABITS, facts);
}
