/** `lingering`: notices that the processes of an agent do not end after its final result. */
import type { Detector } from '../../detector.ts';
import { silentSince } from '../../tick.ts';

/** Its state is the time of the result; null before it, and after the signal was raised. */
export const lingering: Detector<number | null> = {
  name: 'lingering',
  init: null,
  next: (resultAt, { entry, policy }) => {
    if (entry.type === 'result') return [entry.at, []];
    // An agent at a terminal stays open for its person, and its output is not seen.
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
