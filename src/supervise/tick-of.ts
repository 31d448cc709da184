/** What the clock-driven detectors are told once a second. */
import { retriesWithoutImprovement } from '../core/decide/breakers.ts';
import type { BudgetFact, Tick } from '../core/detect/tick.ts';
import { totalUsage } from '../core/state/usage.ts';
import { workedMs } from '../core/state/working-time.ts';
import type { Observation } from '../platform/observe.ts';
import type { AttemptReading } from './attempt-reading.ts';
import type { LifeFacts } from './life-looks.ts';
import type { WatchedAttempt } from './watched-attempt.ts';

export function tickOf(
  watched: WatchedAttempt,
  reading: Pick<AttemptReading, 'lastOutputAt' | 'partialAt' | 'lastLine'>,
  seen: Observation,
  life: LifeFacts,
  { at, awakeSince }: { readonly at: number; readonly awakeSince: number },
): Tick {
  const state = watched.state();
  const used = totalUsage(state);
  const { budget, task } = state;
  const limit = (name: BudgetFact['name'], value: number, max: number | null) =>
    max === null ? [] : [{ name, used: value, limit: max }];
  return {
    type: 'tick',
    at,
    awakeSince,
    startedAt: watched.startedAt,
    lastOutputAt: reading.lastOutputAt,
    cpuMs: seen.cpuMs,
    ...(reading.partialAt === null ? {} : { partialAt: reading.partialAt }),
    ...life,
    lastLine: reading.lastLine,
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
