/** `WaitSpan`, `waitsAfter`: each wait of a run with its reason; the last may still last. `decidingHold`: the hold that is that reason. */
import { bindingHold, type HoldNotice } from '../vocabulary/hold.ts';
import type { Life } from '../vocabulary/life.ts';

export interface WaitSpan {
  readonly from: number;
  /** Null: the run still waits. */
  readonly to: number | null;
  readonly for: 'time' | 'host' | 'person';
  readonly reason: string;
}

interface Held {
  readonly life: Life;
  readonly holds: readonly HoldNotice[];
}

/** The hold that ends after the run's own wait; undefined if the wait of the run itself decides, or if it waits for a person. */
export function decidingHold({ life, holds }: Held): HoldNotice | undefined {
  const hold = bindingHold(holds);
  if (hold === undefined || life.type !== 'waiting' || life.for === 'person') return undefined;
  return (hold.until ?? Number.POSITIVE_INFINITY) > (life.until ?? 0) ? hold : undefined;
}

/**
 * A run that waits for a limit may come to wait for a person: that is another wait, which begins where the first one ends. A wait that is
 * said again in the same words is one span: people see the words. So is one that a start ended which a hold took back at once.
 */
export function waitsAfter(waits: readonly WaitSpan[], now: Held, at: number): readonly WaitSpan[] {
  const { life } = now;
  const last = waits.at(-1);
  const open = last?.to === null ? last : undefined;
  if (life.type !== 'waiting') return open === undefined ? waits : closed(waits, open, at);
  const reason = decidingHold(now)?.reason ?? life.reason;
  const isSame = last?.reason === reason && (last.for === 'person') === (life.for === 'person');
  if (isSame && last.to === null) return waits;
  if (isSame && last.to === at) return [...waits.slice(0, -1), { ...last, to: null }];
  const before = open === undefined ? waits : closed(waits, open, at);
  return [...before, { from: at, to: null, for: life.for, reason }];
}

/** A wait that began at this same time was replaced within its turn: it is dropped. */
function closed(waits: readonly WaitSpan[], open: WaitSpan, at: number): readonly WaitSpan[] {
  const before = waits.slice(0, -1);
  return open.from === at ? before : [...before, { ...open, to: at }];
}
