/** Facts about a living attempt that no transcript line tells, looked at by somebody with a clock. All but the time may be unknown. */

export interface BudgetFact {
  readonly name: 'tokens' | 'usd' | 'turns' | 'working time';
  /** Working time in milliseconds. */
  readonly used: number;
  readonly limit: number;
}

export interface Tick {
  readonly type: 'tick';
  readonly at: number;
  readonly startedAt?: number;
  /** When the agent's process last wrote anything at all. */
  readonly lastOutputAt?: number;
  /** When the agent's own session file last grew. */
  readonly sessionWrittenAt?: number;
  /** CPU time of the whole process tree so far. */
  readonly cpuMs?: number;
  readonly children?: number;
  /** How many children have been started so far, also those that ended between two looks at their number. */
  readonly childrenStarted?: number;
  /** When the last piece of an unfinished message came; only from agents that send such pieces. */
  readonly partialAt?: number;
  /** Bytes moved over the TCP connections of the tree since the watch began to look. */
  readonly socketBytes?: number;
  /** The agent's process is stopped (SIGSTOP, a job-control stop). */
  readonly stopped?: boolean;
  /** When the agent wrote its blocker note. */
  readonly blockerAt?: number;
  /** The tree, at a look that was taken for this tick: what differs from the base, and what may differ now. */
  readonly work?: { readonly changed: readonly string[]; readonly allowed: readonly string[] };
  /** The unfinished last line of output, where a prompt would stand. */
  readonly lastLine?: string;
  /** A person sits at the agent's terminal and is asked there. */
  readonly interactive?: boolean;
  readonly expectedMs?: number;
  readonly budgets?: readonly BudgetFact[];
  /** Known only when a gate or check was asked. */
  readonly gatesFailing?: boolean;
  readonly attemptsWithoutImprovement?: number;
  /** Since when somebody has been looking without a gap: the machine slept before, or its clock was moved. */
  readonly awakeSince?: number;
}

/** Since when it is silent, by the latest of these signs of life. Time in which nobody looked is nobody's silence. */
export function silentSince({ at, awakeSince = -1 }: Tick, ...signs: readonly number[]): number {
  // A sign from after now was noted by a clock that has been set back since.
  return Math.max(awakeSince, ...signs.filter((sign) => sign <= at));
}
