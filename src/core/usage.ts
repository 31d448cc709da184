/** What a run has used, over all attempts. */
import type { RunState } from './run-state.ts';

export interface TotalUsage {
  readonly tokens: number;
  readonly costUsd: number;
  readonly turns: number;
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
