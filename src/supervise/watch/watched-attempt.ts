/** `WatchedAttempt`: one live attempt as its watch sees it: what the watch may read, and `submit`, by which it reports facts. */
import type { AgentAdapter } from '../../agents/adapter.ts';
import type { Tick } from '../../core/detect/tick.ts';
import type { Fact } from '../../core/vocabulary/events/event.ts';
import type { RunState } from '../../core/state/run-state.ts';
import type { TranscriptEntry } from '../../core/vocabulary/transcript.ts';
import type { ContainerHandle } from '../../platform/container/container-handle.ts';
import type { AttemptOutput } from './attempt-output.ts';

export interface TreeLook {
  /** What changed, for people. */
  readonly detail: string;
  /** When it changed; null: it is not known. */
  readonly changedAt: number | null;
  /** Left out where everything may change. */
  readonly work?: NonNullable<Tick['work']>;
}

export interface WatchedAttempt {
  readonly attempt: number;
  readonly handle: ContainerHandle;
  readonly adapter: AgentAdapter;
  readonly output: AttemptOutput;
  readonly startedAt: number;
  readonly state: () => RunState;
  readonly submit: (fact: Fact) => Promise<unknown>;
  /** Stores the entries. */
  readonly keep: (entries: readonly TranscriptEntry[]) => Promise<void>;
  /** Entries of this attempt from before an adoption, to warm the detectors up. */
  readonly earlier: readonly TranscriptEntry[];
  /** Looks at the tree and takes a checkpoint where it changed; null where it did not. */
  readonly lookAtTree: () => Promise<TreeLook | null>;
  readonly signal: AbortSignal;
  readonly now: () => number;
}
