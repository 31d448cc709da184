/** The shape of every act: a command in, the facts that came of it out. It looks before it repeats what may already have been done. */
import type { Command, CommandType } from '../core/vocabulary/command.ts';
import type { Fact } from '../core/vocabulary/event.ts';
import type { RunState } from '../core/state/run-state.ts';

/** Another run of the same repository that has not ended. */
export interface OtherRun {
  readonly runId: string;
  readonly task: string;
  readonly createdAt: number;
  readonly changed: readonly string[];
  /** Of its last checkpoint. */
  readonly tree: string;
}

export interface ActContext {
  readonly home: string;
  readonly state: RunState;
  /** The person's environment, as `mayday run` was called with. */
  readonly env: NodeJS.ProcessEnv;
  /** Aborted when the run is no longer ours: stop acting at once. */
  readonly signal: AbortSignal;
  readonly now: () => number;
  /** Runs in flight beside this one. */
  readonly others?: () => Promise<readonly OtherRun[]>;
  /** Commits that runs of this repository delivered. */
  readonly deliveries?: () => Promise<readonly string[]>;
}

type Of<T extends CommandType> = Extract<Command, { type: T }>;
export type Act<T extends CommandType> = (context: ActContext, command: Of<T>) => Promise<readonly Fact[]>;
