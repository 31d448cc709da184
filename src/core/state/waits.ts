/** `Wait`, `waitsAfter`: each wait of a run with the holds on it, as the journal has them; `view/wait-spans.ts` tells the reason. */
import type { HoldNotice } from '../vocabulary/hold.ts';
import type { Life, Waiting } from '../vocabulary/life.ts';

export interface Wait {
  readonly from: number;
  /** Null: the run still waits. */
  readonly to: number | null;
  readonly life: Waiting;
  readonly holds: readonly HoldNotice[];
}

export function waitsAfter(
  waits: readonly Wait[],
  { life, holds }: { readonly life: Life; readonly holds: readonly HoldNotice[] },
  at: number,
): readonly Wait[] {
  const last = waits.at(-1);
  const open = last?.to === null ? last : undefined;
  if (open?.life === life && open.holds === holds) return waits;
  const closed = open === undefined ? [] : [{ ...open, to: at }];
  const before = [...waits.slice(0, waits.length - closed.length), ...closed];
  return life.type === 'waiting' ? [...before, { from: at, to: null, life, holds }] : before;
}
