/** The agent said its last word but its processes do not end: after the grace they are in the way, and the word counts as a claim. */
import type { Detector } from '../detector.ts';
import { silentSince } from '../tick.ts';

/** Remembers when the result came; null before it, and after it was told. */
export const lingering: Detector<number | null> = {
  name: 'lingering',
  init: null,
  next: (resultAt, { entry, policy }) => {
    if (entry.type === 'result') return [entry.at, []];
    // An agent at a terminal stays there for its person; its output is not seen.
    if (entry.type !== 'tick' || resultAt === null || entry.lastOutputAt === undefined) return [resultAt, []];
    const { at, lastOutputAt } = entry;
    if (at - silentSince(entry, resultAt) < policy.final_grace_ms) return [resultAt, []];
    if (lastOutputAt > resultAt + policy.final_grace_ms) return [resultAt, []];
    return [
      null,
      [
        {
          type: 'stalled',
          severity: 'critical',
          reason: 'the agent gave its final result but did not end',
          sinceAt: at,
          at,
          evidence: [],
          confidence: 0.95,
          suggestedAction: 'end it; its result goes to the gate',
        },
      ],
    ];
  },
};
