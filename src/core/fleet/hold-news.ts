/** `holdNews`: what a run has to be told about the holds of the fleet, and whether it may be the one that tries first. */
import { fraction } from '../text/fraction.ts';
import type { Fact } from '../vocabulary/events/event.ts';
import { readyAttempt, type RunState } from '../state/run-state.ts';
import { claimed, type Hold } from '../vocabulary/hold.ts';

export interface HoldNews {
  readonly facts: readonly Fact[];
  /** The hold that this run should try to probe: due, free, and the run has nothing else to wait for. */
  readonly claim: string | null;
}

/** `starting`: the attempt whose start is about to be carried out, or null. */
export function holdNews(
  state: RunState,
  keys: readonly string[],
  holds: readonly Hold[],
  now: number,
  starting: number | null,
): HoldNews {
  const { runId } = state;
  const rows = new Map(holds.map((hold) => [hold.key, hold]));
  const facts: Fact[] = [];
  for (const key of keys) {
    const hold = rows.get(key);
    if (hold === undefined || hold.liftedAt !== null || isOwnQuestion(hold, runId)) continue;
    if (hold.since <= state.holdsOverruledAt || isFree(hold, now)) continue;
    if (
      isProbe(hold, runId, now) ||
      state.holds.some(
        (known) => known.key === key && known.until === hold.until && known.holder === hold.holder,
      )
    )
      continue;
    const { kind, until, reason, holder } = hold;
    facts.push({ type: 'held', at: now, hold: { key, kind, until, reason, holder }, attempt: starting });
  }
  const waiting: Hold[] = [];
  for (const { key } of state.holds) {
    const hold = rows.get(key);
    const lifted = (why: string) => facts.push({ type: 'hold_lifted', at: now, key, why });
    if (hold === undefined || isOwnQuestion(hold, runId) || isFree(hold, now)) {
      lifted('nothing holds it any more');
    } else if (hold.liftedAt !== null) {
      if (now >= wakeAt(state, hold)) lifted('the hold was lifted; runs wake one after the other');
    } else if (isProbe(hold, runId, now)) {
      lifted('this run tries first; the others wait for what it sees');
    } else if (readyAttempt(state) !== undefined) waiting.push(hold);
  }
  // A run claims all of its holds or none, and all runs claim in the same order: otherwise two probes could wait for each other for ever.
  const free = facts.length === 0 && waiting.every((hold) => claimed(hold, runId, now) !== null);
  const claim = free ? (waiting.map(({ key }) => key).toSorted()[0] ?? null) : null;
  return { facts, claim };
}

/** The run that placed the hold goes on at once, and so does every run when a person released the hold; the others are staggered. */
function wakeAt({ runId, policy }: RunState, { key, holder, liftedAt, releasedBy }: Hold): number {
  if (releasedBy !== undefined || holder === runId) return liftedAt ?? 0;
  return (liftedAt ?? 0) + Math.round(policy.wake_stagger_ms * fraction(`${runId}:${key}`));
}

export function isProbe({ probe, probeUntil }: Hold, runId: string, now: number): boolean {
  return probe === runId && (probeUntil ?? 0) > now;
}

/** The fleet's cap needs no probe: time alone frees a place, and every start checks the cap again. */
function isFree({ kind, until }: Hold, now: number): boolean {
  return kind === 'fleet' && until !== null && until <= now;
}

/** A run that asks a question for all runs is not held by it; the answer makes this run the probe. */
function isOwnQuestion(hold: Hold, runId: string): boolean {
  return hold.until === null && hold.holder === runId && hold.kind !== 'disk';
}
