/** `totalUsage`: what a run has used over all attempts. `greatest`: the usage of one attempt, which never falls. */
import type { RunState } from './run-state.ts';
import type { Usage } from '../vocabulary/transcript.ts';

export interface TotalUsage {
  readonly tokens: number;
  readonly costUsd: number;
  readonly turns: number;
}

/** The totals of one attempt only grow. An agent that starts to count again, or reports nonsense, does not get its budget back. */
export function greatest(before: Usage | null, now: Usage): Usage {
  const most = (earlier: number | undefined, later: number | undefined) =>
    Math.max(counted(earlier), counted(later));
  const costUsd = told(before?.costUsd, now.costUsd);
  const turns = told(before?.turns, now.turns);
  return {
    inputTokens: most(before?.inputTokens, now.inputTokens),
    outputTokens: most(before?.outputTokens, now.outputTokens),
    cacheReadTokens: most(before?.cacheReadTokens, now.cacheReadTokens),
    cacheWriteTokens: most(before?.cacheWriteTokens, now.cacheWriteTokens),
    ...(costUsd === undefined ? {} : { costUsd }),
    ...(turns === undefined ? {} : { turns }),
  };
}

/** A value that the agent never reported stays absent. */
function told(earlier: number | undefined, later: number | undefined): number | undefined {
  return earlier === undefined && later === undefined
    ? undefined
    : Math.max(counted(earlier), counted(later));
}

function counted(value: number | undefined): number {
  return value !== undefined && Number.isFinite(value) && value > 0 ? value : 0;
}

export function totalUsage(state: Pick<RunState, 'attempts'>): TotalUsage {
  return state.attempts.reduce<TotalUsage>(
    (sum, { usage }) =>
      usage === null
        ? sum
        : {
            tokens:
              sum.tokens +
              usage.inputTokens +
              usage.outputTokens +
              usage.cacheReadTokens +
              usage.cacheWriteTokens,
            costUsd: sum.costUsd + (usage.costUsd ?? 0),
            turns: sum.turns + (usage.turns ?? 0),
          },
    { tokens: 0, costUsd: 0, turns: 0 },
  );
}
