/** `PastWait`, `waitsAfter`: each time during which a run waited, as a span with its reason. */
import type { Life } from '../vocabulary/life.ts';

export interface PastWait {
  readonly from: number;
  /** Null: the run still waits. */
  readonly to: number | null;
  readonly for: 'time' | 'host' | 'person';
  readonly reason: string;
}

/**
 * A run that waits for a limit may come to wait for a person: that is another wait, which begins where the first one ends. A wait that is
 * said again in the same words is one span: people see the words.
 */
export function waitsAfter(waits: readonly PastWait[], life: Life, at: number): readonly PastWait[] {
  const last = waits.at(-1);
  const open = last?.to === null ? last : undefined;
  if (life.type !== 'waiting') return open === undefined ? waits : closed(waits, open, at);
  if (open?.for === life.for && open.reason === life.reason) return waits;
  const before = open === undefined ? waits : closed(waits, open, at);
  return [...before, { from: at, to: null, for: life.for, reason: life.reason }];
}

/** A reason that another line of the same turn replaces was no wait. */
function closed(waits: readonly PastWait[], open: PastWait, at: number): readonly PastWait[] {
  const before = waits.slice(0, -1);
  return open.from === at ? before : [...before, { ...open, to: at }];
}
