/** `retries`: notices that several attempts in a row brought no improvement. */
import type { Detector } from '../../detector.ts';

export const retries: Detector<boolean> = {
  name: 'retries',
  hears: 'ticks',
  init: false,
  next: (raised, { entry, step, policy }) => {
    if (entry.type !== 'tick' || entry.attemptsWithoutImprovement === undefined) return [raised, []];
    const count = entry.attemptsWithoutImprovement;
    if (count < policy.retries_stop) return [false, []];
    if (raised) return [true, []];
    return [
      true,
      [
        {
          type: 'retries',
          severity: 'critical',
          reason: `${count} attempts without improvement`,
          sinceAt: entry.startedAt ?? entry.at,
          at: entry.at,
          ...(step >= 0 ? { atStep: step } : {}),
          evidence: [`attempts without improvement: ${count}`],
          confidence: 0.9,
          suggestedAction: 'raise the blocker flag',
          disproof: 'a check that fails less than before',
        },
      ],
    ];
  },
};
