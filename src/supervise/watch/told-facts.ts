/** `toldFacts`: collects what the detectors need at each tick besides what the processes do: output, budget, notes, tree. */
import { noteTime } from '../../act/attempt/agent-notes.ts';
import { agentFiles } from '../../act/run-files.ts';
import { retriesWithoutImprovement } from '../../core/decide/recovery/breakers.ts';
import type { BudgetFact } from '../../core/detect/tick.ts';
import { totalUsage } from '../../core/state/usage.ts';
import { workedMs } from '../../core/state/working-time.ts';
import type { ToldFacts } from './agent-watch.ts';
import type { AttemptReading } from './attempt-reading.ts';
import type { TreeLook, WatchedAttempt } from './watched-attempt.ts';

export function toldFacts(
  { state: stateOf, startedAt, handle }: WatchedAttempt,
  { lastOutputAt, partialAt, lastLine }: Pick<AttemptReading, 'lastOutputAt' | 'partialAt' | 'lastLine'>,
  tree: TreeLook | null,
  at: number,
): ToldFacts {
  const state = stateOf();
  const used = totalUsage(state);
  const { budget, task } = state;
  const limit = (name: BudgetFact['name'], value: number, max: number | null) =>
    max === null ? [] : [{ name, used: value, limit: max }];
  const blockerAt = noteTime(agentFiles(handle.attemptDir).blocker);
  return {
    startedAt,
    lastOutputAt,
    ...(partialAt === null ? {} : { partialAt }),
    lastLine,
    ...(blockerAt === null ? {} : { blockerAt }),
    ...(tree?.work === undefined ? {} : { work: tree.work }),
    ...(task.expectedMs === null ? {} : { expectedMs: task.expectedMs }),
    budgets: [
      ...limit('tokens', used.tokens, budget.tokens),
      ...limit('usd', used.costUsd, budget.usd),
      ...limit('turns', used.turns, budget.turns),
      ...limit('working time', workedMs(state, at), budget.wallClockMs),
    ],
    gatesFailing:
      state.checks.some((check) => check.purpose === 'gate') && state.checks.at(-1)?.passed === false,
    attemptsWithoutImprovement: retriesWithoutImprovement(state),
  };
}
