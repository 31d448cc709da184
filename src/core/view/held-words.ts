/** `whyHeld`, `whyParts`, `pauseBefore`, `ownPauseUntil`: what keeps a waiting run, what decides first, and until when. */
import { holdWords } from '../fleet/hold-words.ts';
import { openIncident, openQuestion, type RunState } from '../state/run-state.ts';
import { firstSentence } from '../text/first-line.ts';
import { oneLine, readableQuotes } from '../text/quote-fenced.ts';
import { ruleOf } from '../vocabulary/classes/incident-class.ts';
import type { HoldNotice } from '../vocabulary/hold.ts';
import { decidingHold } from './wait-spans.ts';

/** Null if the wait of the run itself decides. The owner's row tells the cause in full. */
export function whyHeld(state: RunState): string | null {
  const hold = decidingHold(state);
  if (hold === undefined) return null;
  const later = waitsThen(state, hold);
  if (later.length === 0) return decides(state, hold, 'waits for');
  return `${decides(state, hold, 'waits first for').replace(/\.$/, '')}; then ${later.join(' and ')}`;
}

/** Where several things keep the run: each of them. Empty: `whyLine` tells the one. */
export function whyParts(state: RunState): readonly string[] {
  const hold = openQuestion(state) === undefined ? decidingHold(state) : undefined;
  const later = hold === undefined ? [] : waitsThen(state, hold);
  if (hold === undefined || later.length === 0) return [];
  return [decides(state, hold, 'waits for'), ...later].map((part) => oneLine(readableQuotes(part)));
}

function decides({ runId }: RunState, hold: HoldNotice, waits: string): string {
  const { until, reason, holder, kind } = hold;
  return until === null && kind !== 'disk' && holder !== runId
    ? `${waits} the answer to ${holder}: ${holdWords(hold)}`
    : firstSentence(reason);
}

/** What still holds the run when the hold without an end is over; `limitsAhead` says until when. Empty: nothing. */
function waitsThen(state: RunState, first: HoldNotice): readonly string[] {
  const { holds, runId, updatedAt } = state;
  if (first.until !== null) return [];
  const later = holds.filter(({ key, until }) => key !== first.key && (until === null || until > updatedAt));
  const words = later.map(
    (hold) =>
      `for ${hold.until === null && hold.holder !== runId ? `the answer to ${hold.holder}: ` : ''}${holdWords(hold)}` +
      (hold.until !== null && hold.holder === runId ? ' that it met itself' : ''),
  );
  return words.length > 0 || ownPauseUntil(state) === null ? words : [ownPauseWords(state)];
}

function ownPauseWords(state: RunState): string {
  const incident = openIncident(state);
  const kind = incident === undefined ? undefined : ruleOf(incident.class).hold;
  return (
    pauseBefore(state) ??
    (kind === undefined ? `for what it met itself` : `for ${holdWords({ kind, key: '' })} that it met itself`)
  );
}

/** Null: the run is ready, or waits for a person or for holds alone. */
export function ownPauseUntil({ life, updatedAt, ...state }: RunState): number | null {
  if (life.type !== 'waiting' || life.for === 'person' || life.until === null) return null;
  const isReady = state.attempts.at(-1)?.startedAt === null;
  return isReady || life.until <= updatedAt ? null : life.until;
}

/** A pause of the ladder before the next attempt, in words; null if the run waits for anything else. */
export function pauseBefore(state: RunState): string | null {
  const incident = openIncident(state);
  const recovery = incident?.recoveries.at(-1);
  if (state.life.type !== 'waiting' || state.life.reason !== recovery?.reason || recovery.strategy === 'wait')
    return null;
  const cause = incident?.diagnosis?.rootCause;
  return `a pause before attempt ${state.attempts.length + 1}${cause === undefined ? '' : `: ${cause}`}`;
}
