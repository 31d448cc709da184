/**
 * What stops the ladder early. Restarts are a cheap hope and are rationed three ways: the burst, the long night, and what
 * the next observed state said about the last ones. Each answers with the reason in words, or null.
 */
import { minutes } from '../../text/minutes.ts';
import type { Attempt, RunState } from '../../state/run-state.ts';

/** Why no further restart may be spent, or null. */
export function restartBudget(state: RunState, at: number): string | null {
  const { restarts, restart_window_ms, restarts_total } = state.policy;
  const { recent, inAll } = countedRestarts(state, at);
  if (recent >= restarts) return `${restartsAre(recent, `in ${minutes(restart_window_ms)}`)} the budget`;
  if (inAll >= restarts_total) return `${restartsAre(inAll, 'in all')} the budget`;
  return null;
}

/** How many restarts the budget still allows now. */
export function restartsLeft(state: RunState, at: number): number {
  const { recent, inAll } = countedRestarts(state, at);
  return Math.max(0, Math.min(state.policy.restarts - recent, state.policy.restarts_total - inAll));
}

function countedRestarts(state: RunState, at: number): { readonly recent: number; readonly inAll: number } {
  const counted = state.attempts.filter((attempt) => attempt.counted && isUnforgiven(state, attempt));
  // By when it really began: a parked attempt starts long after its plan, and may end before its start was noted.
  const recent = counted.filter(
    ({ plannedAt, startedAt, endedAt }) =>
      (startedAt ?? endedAt ?? plannedAt) > at - state.policy.restart_window_ms,
  );
  return { recent: recent.length, inAll: counted.length };
}

function restartsAre(count: number, span: string): string {
  return count === 1 ? `1 restart ${span} is` : `${count} restarts ${span} are`;
}

/** Rescues are judged by the next observed state: nothing new in the tree, no progress seen, so it helped nobody. */
export function futility(state: RunState): string | null {
  const { futile_rescues } = state.policy;
  const agent = state.attempts.at(-1)?.agent.name;
  let futile = 0;
  for (let index = state.attempts.length - 1; index >= 0; index -= 1) {
    const attempt = state.attempts[index] as Attempt;
    if (attempt.agent.name !== agent || !isUnforgiven(state, attempt) || wasUseful(state, index)) break;
    // Going on after an outage is no rescue, and does not end a row of futile ones.
    if (attempt.counted) futile += 1;
  }
  return futile >= futile_rescues ? `${futile} rescues in a row left nothing new behind` : null;
}

/** An attempt that failed after half of its time limit gets one more, not three: the evening is gone otherwise. */
export function halfLimit(state: RunState): string | null {
  const half = state.policy.timeout_ms / 2;
  let burnt = 0;
  for (let index = state.attempts.length - 1; index >= 0; index -= 1) {
    const attempt = state.attempts[index] as Attempt;
    // The attempt that a person's word began belongs to the new count.
    if (attempt.plannedAt < state.forgivenAt) break;
    if ((attempt.endedAt ?? 0) - (attempt.startedAt ?? Infinity) >= half) burnt += 1;
    if (wasUseful(state, index)) break;
  }
  return burnt >= 2
    ? `${burnt} failed attempts burnt half of the time limit each; one more is all such a failure gets`
    : null;
}

/** Retries up to now, the running one among them, since an attempt last left something new behind. */
export function retriesWithoutImprovement(state: RunState): number {
  const useful = state.attempts.findLastIndex((_, index) => wasUseful(state, index));
  return state.attempts.length - 1 - Math.max(useful, 0);
}

function wasUseful({ attempts, workspace }: RunState, index: number): boolean {
  const attempt = attempts[index] as Attempt;
  if (attempt.progressAt !== null) return true;
  const tree = attempt.examination?.checkpoint?.tree;
  if (tree === undefined) return false;
  const earlier = attempts
    .slice(0, index)
    .findLast(({ examination }) => (examination?.checkpoint ?? null) !== null)?.examination?.checkpoint?.tree;
  return tree !== (earlier ?? workspace?.baseTree);
}

function isUnforgiven({ forgivenAt }: RunState, { plannedAt }: Attempt): boolean {
  return plannedAt > forgivenAt;
}
