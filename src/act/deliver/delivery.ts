/**
 * What every sink answers: delivered, or a named blocker. A sink is one file in this folder with one function; called again
 * after a crash it looks at what is there and ends in the same state, never in a second delivery.
 */
import { type Blocker, type BlockerCode, blocker } from '../../core/blocker.ts';

export type Delivery =
  | {
      readonly type: 'delivered';
      /** What a person can look up: a branch, a path. */
      readonly ref: string;
      /** Null where the sink makes no commit. */
      readonly commit: string | null;
      readonly files: readonly string[];
      readonly warnings: readonly string[];
    }
  | { readonly type: 'blocked'; readonly blocker: Blocker };

/** The sinks' own failures (the work stays whole, the repair is to the sink), and having nothing to deliver. */
type SinkBlockerCode = Extract<
  BlockerCode,
  'sink_not_writable' | 'sink_drifted' | 'delivery_failed' | 'empty_change'
>;

const MAX_EVIDENCE = 10;

export function blockedDelivery(code: SinkBlockerCode, evidence: readonly string[]): Delivery {
  return { type: 'blocked', blocker: blocker(code, evidence.slice(0, MAX_EVIDENCE)) };
}
