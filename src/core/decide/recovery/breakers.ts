/** `restartBudget`, `futility`, `halfLimit`: stop the ladder early: the reason in words, or null. */
import { minutes } from '../../text/minutes.ts';
import type { Attempt, RunState } from '../../state/run-state.ts';

/** Why no further restart may be spent, or null. */
export function restartBudget(state: RunState, at: number): string | null {
  const { restarts, restart_window_ms, restarts_total } = state.policy;
  const { recent, inAll } = countedRestarts(state, at);
  if (Math.min(restarts, restarts_total) === 0)
    return `this run may not restart by itself (${restarts === 0 ? 'restarts' : 'restarts_total'}: 0)`;
  if (recent >= restarts)
    return `${restartsAre(recent, `in ${minutes(restart_window_ms)}`)} as many as the policy allows`;
  if (inAll >= restarts_total) return `${restartsAre(inAll, 'in all')} as many as the policy allows`;
  return null;
}

export function restartsLeft(state: RunState, at: number): number {
  const { recent, inAll } = countedRestarts(state, at);
  return Math.max(0, Math.min(state.policy.restarts - recent, state.policy.restarts_total - inAll));
}

function countedRestarts(state: RunState, at: number): { readonly recent: number; readonly inAll: number } {
  const counted = state.attempts.filter((attempt) => attempt.counted && isUnforgiven(state, attempt));
  // Counted from when the attempt really began: a parked attempt starts long after its plan, and may end before its start was noted.
  const recent = counted.filter(
    ({ plannedAt, startedAt, endedAt }) =>
      (startedAt ?? endedAt ?? plannedAt) > at - state.policy.restart_window_ms,
  );
  return { recent: recent.length, inAll: counted.length };
}

function restartsAre(count: number, span: string): string {
  return count === 1 ? `1 restart ${span} is` : `${count} restarts ${span} are`;
}

/** A rescue is judged by the next observed state. If the tree has nothing new and no progress was seen, the rescue was futile. */
export function futility(state: RunState): string | null {
  const { futile_rescues } = state.policy;
  const agent = state.attempts.at(-1)?.agent.name;
  let futile = 0;
  for (let index = state.attempts.length - 1; index >= 0; index -= 1) {
    const attempt = state.attempts[index] as Attempt;
    if (attempt.agent.name !== agent || !isUnforgiven(state, attempt) || wasUseful(state, index)) break;
    // Going on after an outage is not a rescue, and does not end a row of futile ones.
    if (attempt.counted && attempt.endedBy !== 'host') futile += 1;
  }
  return futile >= futile_rescues ? `${futile} rescues in a row left nothing new behind` : null;
}

/** An attempt that failed after half of its time limit gets only one more attempt, because more would take too long. */
export function halfLimit(state: RunState): string | null {
  const half = state.policy.timeout_ms / 2;
  let burnt = 0;
  for (let index = state.attempts.length - 1; index >= 0; index -= 1) {
    const attempt = state.attempts[index] as Attempt;
    // The attempt that a person's answer started belongs to the new count.
    if (attempt.plannedAt < state.forgivenAt) break;
    const lastedMs = (attempt.endedAt ?? 0) - (attempt.startedAt ?? Infinity);
    if (lastedMs >= half && attempt.endedBy !== 'host') burnt += 1;
    if (wasUseful(state, index)) break;
  }
  return burnt >= 2
    ? `${burnt} failed attempts burnt half of the time limit each; one more is all such a failure gets`
    : null;
}

export function retriesWithoutImprovement(state: RunState): number {
  const useful = state.attempts.findLastIndex((_, index) => wasUseful(state, index));
  return state.attempts.length - 1 - Math.max(useful, 0);
}

/** True: progress was seen in the attempt, or it left another tree than the one before. */
export function wasUseful({ attempts, workspace }: RunState, index: number): boolean {
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
