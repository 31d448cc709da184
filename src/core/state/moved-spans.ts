/** `MovedSpan`, `movedAfter`: the times during which the work of an attempt moved, from the looks that found a change. */
export interface MovedSpan {
  readonly from: number;
  readonly to: number;
}

/** A line of life has no room for more; the oldest ones are joined. */
const MAX_SPANS = 24;
/** A costly tree is looked at less often: a look that comes this much later still continues the span. */
const LATE = 2;

/** A look at `at` found a change: it was made since the look before, `everyMs` earlier. */
export function movedAfter(spans: readonly MovedSpan[], at: number, everyMs: number): readonly MovedSpan[] {
  const last = spans.at(-1);
  if (last !== undefined && at - last.to <= LATE * everyMs)
    return [...spans.slice(0, -1), { from: last.from, to: Math.max(last.to, at) }];
  const next = [...spans, { from: at - everyMs, to: at }];
  const [first, second] = next;
  if (next.length <= MAX_SPANS || first === undefined || second === undefined) return next;
  return [{ from: first.from, to: second.to }, ...next.slice(2)];
}
