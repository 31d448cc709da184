/** One live attempt as those see it who look at it: what they may read, and the one way to say what they saw. */
import type { AgentAdapter } from '../agents/adapter.ts';
import type { Fact } from '../core/vocabulary/event.ts';
import type { RunState } from '../core/state/run-state.ts';
import type { TranscriptEntry } from '../core/vocabulary/transcript.ts';
import type { ContainerHandle } from '../platform/container-handle.ts';
import type { AttemptOutput } from './attempt-output.ts';

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
  /** Looks at the tree; reports progress and takes a checkpoint where it changed. */
  readonly lookAtTree: (force: boolean) => Promise<{ readonly changed: string | null }>;
  readonly signal: AbortSignal;
  readonly now: () => number;
}
