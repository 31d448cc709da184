/** `opinionsJson`, `opinionLine`, `opinionSays`: opinions in a run's document and for a person, apart from what is proven. */
import { opinionKeys } from '../opinion/opinion-json.ts';
import type { RunState } from '../state/run-state.ts';
import { counted } from '../text/counted.ts';
import { jsonObject, jsonText } from '../text/json.ts';
import { oneLine } from '../text/quote-fenced.ts';
import { costOf, type GivenOpinion, NOBODY, type OpinionOutcome } from '../vocabulary/opinion.ts';
import { iso } from './mission-json.ts';

const UNASKED = 'there was nothing to ask';
const SAYS_CHARS = 300;

export function opinionsJson({ opinions, options }: Pick<RunState, 'opinions' | 'options'>) {
  const last = opinions.findLast(({ outcome }) => outcome.type === 'answered') ?? opinions.at(-1);
  const who = options.opinion ?? { type: 'none' };
  return {
    ...opinionKeys(last?.outcome ?? null, who.type === 'none' ? NOBODY : UNASKED),
    /** Every question, oldest first. */
    opinions: opinions.map(opinionGiven),
    /** Beside the budget of the agent. */
    opinions_cost_usd: opinions.reduce((sum, { outcome }) => sum + (costOf(outcome) ?? 0), 0),
  };
}

function opinionGiven({ outcome, at, attempt, durationMs }: GivenOpinion) {
  const { kind, by } = outcome.type === 'answered' ? outcome.opinion : outcome;
  return {
    kind,
    by,
    at: iso(at),
    attempt,
    duration_ms: durationMs,
    line: opinionLine(outcome),
    says: opinionSays(outcome),
    ...opinionKeys(outcome, ''),
  };
}

export function opinionLine(outcome: OpinionOutcome): string {
  if (outcome.type === 'unanswered')
    return `no opinion of ${oneLine(outcome.by)}: ${oneLine(outcome.reason)}`;
  const { by, quotes, costUsd } = outcome.opinion;
  const cost = costUsd === null ? [] : [`$${costUsd.toFixed(3)}`];
  return [
    `opinion of ${oneLine(by)}`,
    `${counted(quotes.length, 'quote')} found in the record`,
    ...cost,
  ].join(', ');
}

/** What it comes down to, as text; empty where the answer has no such key. */
export function opinionSays(outcome: OpinionOutcome): string {
  if (outcome.type === 'unanswered') return '';
  const answer = jsonObject(outcome.opinion.answer);
  return oneLine(jsonText(answer['cause']) || jsonText(answer['title'])).slice(0, SAYS_CHARS);
}
