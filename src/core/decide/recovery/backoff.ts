/** `backoffMs`, `failuresInARow`: the pause before a restart. Its jitter comes from the run's id: a replay is exact. */
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

/** Counted restarts, for any cause, since the run last worked for `backoff_reset_ms` without failing. */
export function failuresInARow({ attempts, policy }: RunState, at: number): number {
  const healthy = attempts.findLastIndex(
    ({ startedAt, endedAt }) => startedAt !== null && (endedAt ?? at) - startedAt >= policy.backoff_reset_ms,
  );
  return attempts.slice(healthy + 1).filter(({ counted }) => counted).length;
}
