/** How long to pause. Jitter comes from the run's own name, so that a fleet spreads out and a replay is exact. */
import type { Policy } from '../policy.ts';
import type { RunState } from '../run-state.ts';

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

/** A number in [0, 1) that only depends on the text (FNV-1a). */
export function fraction(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0) / 2 ** 32;
}
