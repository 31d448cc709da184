/** `frozen`: notices a stopped process (SIGSTOP, job control). A short stop may be a person's purpose. */
import { type Detector, raise } from '../../detector.ts';
import { silentSince } from '../../tick.ts';

interface FrozenState {
  readonly since: number | null;
  readonly raised: boolean;
}

const RUNS: FrozenState = { since: null, raised: false };

export const frozen: Detector<FrozenState> = {
  name: 'frozen',
  init: RUNS,
  next: (state, { entry, step, policy }) => {
    if (entry.type !== 'tick') return [state, []];
    if (entry.stopped !== true) return [RUNS, []];
    const since = state.since ?? entry.at;
    if (state.raised || entry.at - silentSince(entry, since) < policy.frozen_ms)
      return [{ ...state, since }, []];
    return raise({ since, raised: true }, entry, step, {
      type: 'frozen',
      severity: 'critical',
      reason: 'the agent process is stopped and cannot run',
      sinceAt: since,
      evidence: ['process state: stopped'],
      confidence: 0.99,
      suggestedAction:
        entry.interactive === true
          ? 'continue the process; if it stops again, end it and resume the session'
          : 'end it and resume the session',
      disproof: 'the process runs again',
    });
  },
};
