/** The shape of every act: a command in, the facts that came of it out. It looks before it repeats what may already have been done. */
import type { Command, CommandType } from '../core/command.ts';
import type { Fact } from '../core/event.ts';
import type { RunState } from '../core/run-state.ts';

export interface ActContext {
  readonly home: string;
  readonly state: RunState;
  /** The person's environment, as `mayday run` was called with. */
  readonly env: NodeJS.ProcessEnv;
  /** Aborted when the run is no longer ours: stop acting at once. */
  readonly signal: AbortSignal;
  readonly now: () => number;
}

type Of<T extends CommandType> = Extract<Command, { type: T }>;
export type Act<T extends CommandType> = (context: ActContext, command: Of<T>) => Promise<readonly Fact[]>;
