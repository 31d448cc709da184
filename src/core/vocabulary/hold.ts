/**
 * `Hold`: keeps every run that it concerns from starting agents, for a cause outside those runs. `changedHold`: applies a change to a row.
 * `bindingHold`: the one that decides when a run goes on.
 *
 *   active --until passes--> due --one run claims the probe--> probing --health observed--> lifted (the runs start one after the other)
 *      ^                                                          |
 *      +------------ the probe fails the same way: later until ---+
 *
 * A hold without `until` waits for a person's answer to the one question that its holder asks; then the holder is its probe.
 * A hold ends with its holder: no run waits for a run that has ended. If that one asked about a shared cause, the next run that the hold
 * kept asks in its place. A person may release a hold at any time.
 * These functions are pure: `record` keeps the rows, keepers apply the rules.
 */

/** A service whose health can be tested by connecting to it. */
export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

export type HoldKind = 'limit' | 'login' | 'network' | 'overload' | 'disk' | 'shared_cause' | 'fleet';

export interface Hold {
  /** What the hold concerns: `account:...`, `model:...`, `host:...`, `cause:...`, `fleet`. */
  readonly key: string;
  readonly kind: HoldKind;
  readonly until: number | null;
  readonly reason: string;
  readonly since: number;
  /** The run that met the cause first. */
  readonly holder: string;
  /** The one run that may try before the others. */
  readonly probe: string | null;
  readonly probeUntil: number | null;
  readonly liftedAt: number | null;
  readonly endpoint?: Endpoint | null;
  /** The person who released the hold, knowing that the cause may still be there. */
  readonly releasedBy?: string;
  /** Lifted because the run that asked about it ended: nobody answered, and nothing is mended. */
  readonly isUnanswered?: true;
}

/** What a run is told about a hold; it is stored in the run's journal. */
export type HoldNotice = Pick<Hold, 'key' | 'kind' | 'until' | 'reason' | 'holder'>;

/** Of several holds, the one that ends last: it decides when the run goes on. One without an end waits for a person. */
export function bindingHold(holds: readonly HoldNotice[]): HoldNotice | undefined {
  const end = ({ until }: HoldNotice) => until ?? Number.POSITIVE_INFINITY;
  return holds.reduce<HoldNotice | undefined>(
    (last, hold) => (last === undefined || end(hold) > end(last) ? hold : last),
    undefined,
  );
}

export type NewHold = Pick<Hold, 'key' | 'kind' | 'until' | 'reason' | 'holder' | 'endpoint'> & {
  readonly at: number;
};

/** A probe that reports nothing for this long counts as dead; another run may try. */
export const PROBE_TTL_MS = 5 * 60_000;

/** What a run may do to a hold. The store applies it to the current row in one transaction. */
export type HoldChange =
  | { readonly type: 'place'; readonly hold: NewHold }
  /** The run becomes the probe, or stays it if its start comes late. */
  | { readonly type: 'claim'; readonly key: string; readonly runId: string; readonly now: number }
  /** The question was answered: the run that asked tries first. If it does not, any run may. */
  | { readonly type: 'open'; readonly key: string; readonly runId: string; readonly now: number }
  | {
      readonly type: 'lift';
      readonly key: string;
      readonly now: number;
      readonly releasedBy?: string;
      readonly isUnanswered?: true;
    }
  /** The run that should try first has ended: any run may try. */
  | { readonly type: 'leave'; readonly key: string; readonly runId: string };

/** The row after the change, or null if the change no longer fits the row. */
export function changedHold(row: Hold | null, change: HoldChange): Hold | null {
  switch (change.type) {
    case 'place':
      return placed(row, change.hold);
    case 'claim': {
      const mine = row === null ? null : claimed(row, change.runId, change.now);
      return mine === null ? null : { ...mine, probeUntil: change.now + PROBE_TTL_MS };
    }
    case 'open': {
      const { runId, now } = change;
      if (row === null || row.liftedAt !== null || row.holder !== runId || row.until !== null) return null;
      return { ...row, until: now, probe: runId, probeUntil: now + PROBE_TTL_MS };
    }
    case 'lift': {
      if (row === null || (row.liftedAt !== null && row.releasedBy === undefined)) return null;
      const { releasedBy: _before, ...rest } = row;
      return {
        ...rest,
        liftedAt: change.now,
        probe: null,
        probeUntil: null,
        ...(change.releasedBy === undefined ? {} : { releasedBy: change.releasedBy }),
        ...(change.isUnanswered === undefined ? {} : { isUnanswered: true }),
      };
    }
    case 'leave':
      if (row === null || row.liftedAt !== null || row.probe !== change.runId) return null;
      return { ...row, probe: null, probeUntil: null };
  }
}

/** The same change with the store's time instead of the caller's, so that hosts that share a record follow one clock. */
export function changeAt(change: HoldChange, now: number): HoldChange {
  return 'now' in change ? { ...change, now } : change;
}

export function keyOf(change: HoldChange): string {
  return change.type === 'place' ? change.hold.key : change.key;
}

/** The row after a run met the cause. A second run that meets it joins the hold; there is no second hold. */
export function placed(existing: Hold | null, { at, ...hold }: NewHold): Hold {
  const fresh: Hold = { ...hold, since: at, probe: null, probeUntil: null, liftedAt: null };
  if (existing === null || existing.liftedAt !== null) return fresh;
  const until = existing.until === null || hold.until === null ? null : Math.max(existing.until, hold.until);
  // The probe met the cause again: it becomes the holder.
  if (existing.probe === hold.holder) return { ...fresh, since: existing.since, until: hold.until ?? null };
  return { ...existing, until };
}

/** The row with `runId` as its probe, or null if the hold is not due or another run is the probe. */
export function claimed(hold: Hold, runId: string, now: number): Hold | null {
  // Free disk space is measured, so no run needs to try.
  if (hold.liftedAt !== null || hold.kind === 'disk') return null;
  if (hold.probe === runId && (hold.probeUntil ?? 0) > now) return hold;
  const due = hold.until === null ? hold.holder === runId : hold.until <= now;
  const free = hold.probe === null || (hold.probeUntil ?? 0) <= now;
  return due && free ? { ...hold, probe: runId, probeUntil: now + PROBE_TTL_MS } : null;
}
