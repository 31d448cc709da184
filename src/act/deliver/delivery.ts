/**
 * What every sink answers: delivered, or a named blocker. A sink is one file in this folder with one function; called again
 * after a crash it looks at what is there and ends in the same state, never in a second delivery.
 */
import { blocker } from '../../core/vocabulary/blocker.ts';
import type { Blocker, BlockerCode } from '../../core/vocabulary/blocker-rule.ts';

export interface DeliverySpec {
  readonly home: string;
  readonly runId: string;
  /** Shadow tree to deliver. */
  readonly tree: string;
  readonly signal?: AbortSignal | undefined;
}

/** Of sinks that make commits. */
export interface CommitSpec extends DeliverySpec {
  /** First line and body of the commit; the run is named in a trailer. */
  readonly message: string;
  /** When the delivery was decided, milliseconds since the epoch: fixes the commit for every later look. */
  readonly at: number;
  /** A commit of the agent that the delivered one stands on; absent: the base. */
  readonly parent?: string;
  /** Commits that the journal knows as deliveries of this run. */
  readonly earlier?: readonly string[];
}

export type Delivery =
  | {
      readonly type: 'delivered';
      /** What a person can look up: a branch, a path, an address. */
      readonly ref: string;
      /** Null where the sink makes no commit. */
      readonly commit: string | null;
      readonly files: readonly string[];
      readonly warnings: readonly string[];
    }
  | {
      readonly type: 'blocked';
      readonly blocker: Blocker;
      /** Was made and put on the run's branch before a later step failed. */
      readonly commit?: string | null;
      /** The target is not where the gate saw it: the gate must look again. */
      readonly targetMoved?: true;
    };

/** The sinks' own failures (the work stays whole, the repair is to the sink), and having nothing to deliver. */
type SinkBlockerCode = Extract<
  BlockerCode,
  | 'patch_does_not_apply'
  | 'sink_not_writable'
  | 'generator_unavailable'
  | 'sink_drifted'
  | 'approval_required'
  | 'delivery_failed'
  | 'change_conflict'
  | 'empty_change'
>;

const MAX_EVIDENCE = 10;

export function blockedDelivery(code: SinkBlockerCode, evidence: readonly string[]): Delivery {
  return {
    type: 'blocked',
    blocker: blocker(code, { source: 'said', said: evidence.slice(0, MAX_EVIDENCE) }),
  };
}

/** A branch that somebody else holds: moving the work onto another base would meet it again, another branch does not. */
export function takenBranch(evidence: string): Delivery {
  const finding = { source: 'said', said: [evidence] } as const;
  return {
    type: 'blocked',
    blocker: blocker('sink_drifted', finding, ['fix_sink', 'choose_patch_output', 'abandon']),
  };
}
