/** `WaitSpan`, `waitsAfter`: each wait of a run, as a span with its reason; the last may still last. */
import type { Life } from '../vocabulary/life.ts';

export interface WaitSpan {
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
export function waitsAfter(waits: readonly WaitSpan[], life: Life, at: number): readonly WaitSpan[] {
  const last = waits.at(-1);
  const open = last?.to === null ? last : undefined;
  if (life.type !== 'waiting') return open === undefined ? waits : closed(waits, open, at);
  if (open?.for === life.for && open.reason === life.reason) return waits;
  const before = open === undefined ? waits : closed(waits, open, at);
  return [...before, { from: at, to: null, for: life.for, reason: life.reason }];
}

/** A wait that began at this same time was replaced within its turn: it is dropped. */
function closed(waits: readonly WaitSpan[], open: WaitSpan, at: number): readonly WaitSpan[] {
  const before = waits.slice(0, -1);
  return open.from === at ? before : [...before, { ...open, to: at }];
}
