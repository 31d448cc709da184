/** The agent raised the blocker flag and lives on: it waits for an answer, or works past its own question. */
import type { Detector } from '../detector.ts';

/** After it raised the flag the agent may end by itself. */
const GRACE_MS = 10_000;

/** Remembers the flag that was told. */
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
