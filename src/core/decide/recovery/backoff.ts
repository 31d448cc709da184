/** How long to pause. Jitter comes from the run's own name, so that a fleet spreads out and a replay is exact. */
import { fraction } from '../../text/fraction.ts';
import type { Policy } from '../../vocabulary/policy.ts';
import type { RunState } from '../../state/run-state.ts';

/** Largest share taken off a pause. */
const JITTER_SHARE = 0.2;

export function backoffMs(policy: Policy, failures: number, seed: string): number {
  const doubled = policy.backoff_ms * 2 ** Math.min(failures, 30);
  const capped = Math.min(doubled, policy.backoff_max_ms);
  return Math.round(capped * (1 - JITTER_SHARE * fraction(`${seed}:${failures}`)));
}

/** Counted restarts since the run was last healthy for so long that its back-off starts over, whatever each of them was for. */
export function failuresInARow({ attempts, policy }: RunState, at: number): number {
  const healthy = attempts.findLastIndex(
    ({ startedAt, endedAt }) => startedAt !== null && (endedAt ?? at) - startedAt >= policy.backoff_reset_ms,
  );
  return attempts.slice(healthy + 1).filter(({ counted }) => counted).length;
}
