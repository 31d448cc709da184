/**
 * `Act`, `ActContext`: the shape of every act. It takes a command and returns the facts that came of it. An act that may have run before
 * first looks at what is already done.
 */
import type { Command, CommandType } from '../core/vocabulary/events/command.ts';
import type { Fact } from '../core/vocabulary/events/event.ts';
import type { RunState } from '../core/state/run-state.ts';
import type { AgentContext } from './attempt/agent-context.ts';

/** Another run of the same repository that has not ended. */
export interface OtherRun {
  readonly runId: string;
  readonly task: string;
  readonly createdAt: number;
  readonly changed: readonly string[];
  /** The tree of its last checkpoint. */
  readonly tree: string;
}

export interface ActContext {
  readonly home: string;
  readonly state: RunState;
  /** The person's environment at the time of `mayday run`. */
  readonly env: NodeJS.ProcessEnv;
  /** The file in which the keeper notes each renewal of the lease, if another host may take the run; see LeaseNote. */
  readonly leaseFile?: string | undefined;
  /** Aborted when this keeper no longer holds the run: the act must stop at once. */
  readonly signal: AbortSignal;
  readonly now: () => number;
  /** Reads the runs of the same repository that have not ended. */
  readonly others?: () => Promise<readonly OtherRun[]>;
  /** Reads the commits that runs of this repository delivered. */
  readonly deliveries?: () => Promise<readonly string[]>;
  /** Hides secrets as the record does; absent: by the environment alone. */
  readonly redact?: (text: string) => string;
  /** The run as it is now, and a fact that is journaled before the act ends. */
  readonly journal?: {
    readonly state: () => RunState;
    readonly submit: (fact: Fact) => Promise<void>;
  };
  /** Reads the approved lessons of this repository, for the agent to search. */
  readonly lessons?: () => Promise<AgentContext['lessons']>;
}

type Of<T extends CommandType> = Extract<Command, { type: T }>;
export type Act<T extends CommandType> = (context: ActContext, command: Of<T>) => Promise<readonly Fact[]>;
