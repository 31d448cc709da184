/** `blockerRaised`: notices that the agent raised the blocker flag and did not end. */
import type { Detector } from '../../detector.ts';

/** The agent has this long to end by itself after it raised the flag. */
const GRACE_MS = 10_000;

/** Its state is the time of the flag that was already reported. */
export const blockerRaised: Detector<number | null> = {
  name: 'blocker raised',
  init: null,
  next: (told, { entry }) => {
    if (entry.type !== 'tick' || entry.blockerAt === undefined) return [told, []];
    const { at, blockerAt } = entry;
    if (blockerAt === told || at - blockerAt <= GRACE_MS) return [told, []];
    return [
      blockerAt,
      [
        {
          type: 'blocker_raised',
          severity: 'critical',
          reason: 'the agent raised the blocker flag',
          sinceAt: blockerAt,
          at,
          evidence: [],
          confidence: 1,
          suggestedAction: 'answer its question',
        },
      ],
    ];
  },
};
