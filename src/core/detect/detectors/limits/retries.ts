/** `retries`: notices that several attempts in a row brought no improvement. */
import { type Detector, raise } from '../../detector.ts';

export const retries: Detector<boolean> = {
  name: 'retries',
  init: false,
  next: (raised, { entry, step, policy }) => {
    if (entry.type !== 'tick' || entry.attemptsWithoutImprovement === undefined) return [raised, []];
    const count = entry.attemptsWithoutImprovement;
    if (count < policy.retries_stop) return [false, []];
    if (raised) return [true, []];
    return raise(true, entry, step, {
      type: 'retries',
      severity: 'critical',
      reason: `${count} attempts without improvement`,
      sinceAt: entry.startedAt ?? entry.at,
      evidence: [`attempts without improvement: ${count}`],
      confidence: 0.9,
      suggestedAction: 'raise the blocker flag',
      disproof: 'a check that fails less than before',
    });
  },
};
