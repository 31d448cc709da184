/** `Tick`: facts about a live attempt that are not in the transcript. All but the time may be unknown. */

export interface BudgetFact {
  readonly name: 'tokens' | 'usd' | 'turns' | 'working time';
  /** Working time is in milliseconds. */
  readonly used: number;
  readonly limit: number;
}

export interface OpenText {
  /** Its end, as far as it is kept. */
  readonly text: string;
  /** All of it that was written so far. */
  readonly chars: number;
}

export interface Tick {
  readonly type: 'tick';
  readonly at: number;
  readonly startedAt?: number;
  readonly lastOutputAt?: number;
  /** When the agent's own session file last grew. */
  readonly sessionWrittenAt?: number;
  /** CPU time of the whole process tree so far. */
  readonly cpuMs?: number;
  /** The part of it that was not the agent's own process. */
  readonly childrenCpuMs?: number;
  readonly children?: number;
  /** How many children have been started so far, including those that ended between two ticks. */
  readonly childrenStarted?: number;
  /** When the last piece of an unfinished message came; only from agents that send such pieces. */
  readonly partialAt?: number;
  /** What such pieces made of words and thoughts, never of the input of a call; absent between two messages. */
  readonly openText?: OpenText;
  /** Bytes moved over the TCP connections of the process tree since the watch began. */
  readonly socketBytes?: number;
  /** The agent's process is stopped (SIGSTOP, a job-control stop). */
  readonly stopped?: boolean;
  /** When the agent wrote its blocker note. */
  readonly blockerAt?: number;
  /** The tree, if it was read for this tick: the paths that differ from the base, and those that may differ. */
  readonly work?: { readonly changed: readonly string[]; readonly allowed: readonly string[] };
  /** The unfinished last line of output, which may be a prompt. */
  readonly lastLine?: string;
  /** A person sits at the agent's terminal and is asked there. */
  readonly interactive?: boolean;
  readonly expectedMs?: number;
  readonly budgets?: readonly BudgetFact[];
  /** Known only if a gate or check ran. */
  readonly gatesFailing?: boolean;
  readonly attemptsWithoutImprovement?: number;
  /** Since when the keeper has watched without a gap. Before that the machine slept, or its clock was changed. */
  readonly awakeSince?: number;
}

/** Since when the agent is silent: the latest of these signs of life. Time without a watching keeper does not count as silence. */
export function silentSince({ at, awakeSince = -1 }: Tick, ...signs: readonly number[]): number {
  // A time in the future comes from before the clock was set back, so it is ignored.
  return Math.max(awakeSince, ...signs.filter((sign) => sign <= at));
}
