/** `totalUsage`: what a run has used over all attempts. `greatest`: the usage of one attempt, which never falls. */
import type { RunState } from './run-state.ts';
import { defined } from '../text/defined.ts';
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
    ...defined({ costUsd, turns }),
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

export function totalUsage({ attempts }: Pick<RunState, 'attempts'>): TotalUsage {
  const all = attempts.flatMap(({ usage }) => usage ?? []);
  const sum = (of: (usage: Usage) => number | undefined) =>
    all.reduce((total, each) => total + (of(each) ?? 0), 0);
  return {
    tokens: sum(
      (each) => each.inputTokens + each.outputTokens + each.cacheReadTokens + each.cacheWriteTokens,
    ),
    costUsd: sum(({ costUsd }) => costUsd),
    turns: sum(({ turns }) => turns),
  };
}
