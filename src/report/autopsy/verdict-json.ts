/** `verdictJson`: the public document of an autopsy. Keys are promised: add, never rename. */
import { opinionKeys } from '../../core/opinion/opinion-json.ts';
import type { Autopsy } from '../../core/detect/autopsy/autopsy.ts';
import type { StoryAnswer } from '../../core/detect/autopsy/story-opinion.ts';
import type { OpinionOutcome } from '../../core/vocabulary/opinion.ts';

/** `stepOf`: the caller's own number of a step, where a step became several entries. */
export function verdictJson(found: Autopsy, stepOf: readonly number[] | null = null) {
  const step = (entry: number | null | undefined): number | null =>
    entry === null || entry === undefined ? null : stepOf === null ? entry : (stepOf[entry] ?? entry);
  const last = stepOf?.at(-1);
  return {
    id: found.id,
    state: found.state,
    signals: found.signals.map((signal) => ({
      type: signal.type,
      severity: signal.severity,
      at_step: step(signal.atStep),
      since_step: step(signal.sinceStep),
      reason: signal.reason,
      evidence: signal.evidence,
      confidence: Math.round(signal.confidence * 100) / 100,
      suggested_action: signal.suggestedAction,
      disproof: signal.disproof ?? null,
    })),
    first_stuck_step: step(found.firstStuckStep),
    class: found.class,
    root_cause: found.rootCause,
    suspected_step: step(found.suspectedStep),
    wasted_steps:
      last === undefined || found.firstStuckStep === null
        ? found.wastedSteps
        : last + 1 - (step(found.firstStuckStep) ?? 0),
    next: { strategy: found.next.strategy, brief: found.next.brief, start_here: found.next.startHere },
    ...opinionKeys(asked(found, step), found.noOpinion ?? 'no model was asked'),
  };
}

/** With the caller's own numbers of steps. */
function asked(
  { opinion }: Autopsy,
  step: (entry: number | null) => number | null,
): OpinionOutcome<StoryAnswer> | null {
  if (opinion === undefined) return null;
  const answer = { ...opinion.answer, since_entry: step(opinion.answer.since_entry) };
  const quotes = opinion.quotes.map(({ entry, text }) => ({ entry: step(entry) ?? entry, text }));
  return { type: 'answered', opinion: { ...opinion, answer, quotes } };
}
