/** `overdue`: warns that a run takes much longer than expected. A slow run is not stuck. */
import { minutes } from '../../../text/minutes.ts';
import { type Detector, raise } from '../../detector.ts';

export const overdue: Detector<boolean> = {
  name: 'overdue',
  init: false,
  next: (raised, { entry, step, policy }) => {
    if (raised || entry.type !== 'tick') return [raised, []];
    const { at, startedAt, expectedMs } = entry;
    if (startedAt === undefined || expectedMs === undefined) return [false, []];
    const elapsedMs = at - startedAt;
    if (elapsedMs <= policy.overdue_factor * expectedMs) return [false, []];
    return raise(true, entry, step, {
      type: 'overdue',
      severity: 'warning',
      reason: `running for ${minutes(elapsedMs)}, expected were ${minutes(expectedMs)}`,
      sinceAt: startedAt + expectedMs,
      evidence: [`elapsed ${elapsedMs} ms`, `expected ${expectedMs} ms`],
      confidence: 0.6,
      suggestedAction: 'check progress',
      disproof: 'steady progress: the estimate was wrong, not the run',
    });
  },
};
