/** `WaitSpan`, `waitSpans`: each wait of a run with its reason; the last may still last. `decidingHold`: the hold that is that reason. */
import type { RunState } from '../state/run-state.ts';
import type { Wait } from '../state/waits.ts';
import { bindingHold, type HoldNotice } from '../vocabulary/hold.ts';
import type { Life } from '../vocabulary/life.ts';

export interface WaitSpan extends Pick<Wait, 'from' | 'to'> {
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
export function waitSpans({ waits }: Pick<RunState, 'waits'>): readonly WaitSpan[] {
  const spans: WaitSpan[] = [];
  for (const wait of waits) {
    const { from, to, life } = wait;
    // Replaced within its turn.
    if (to === from) continue;
    const reason = decidingHold(wait)?.reason ?? life.reason;
    const last = spans.at(-1);
    const isSame = last?.reason === reason && (last.for === 'person') === (life.for === 'person');
    if (isSame && last.to === from) spans.splice(-1, 1, { ...last, to });
    else spans.push({ from, to, for: life.for, reason });
  }
  return spans;
}
