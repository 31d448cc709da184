/** `summarise`: every number of a report, from the runs of a period. The shape is public: `mayday report --format json`. */
import type { RunMetrics } from '../../core/view/run-metrics.ts';
import { breakdown } from './breakdown.ts';
import { criteria } from './criteria.ts';
import { type LessonFacts, learningMetrics } from './learning-metrics.ts';
import { missionMetrics } from './mission-metrics.ts';
import { taskMetrics } from './task-metrics.ts';
import { unblockMetrics } from './unblock-metrics.ts';

export interface SummaryInput {
  /** All that is known, oldest first. */
  readonly history: readonly RunMetrics[];
  readonly lessons: readonly LessonFacts[];
  readonly falsePositives: ReadonlySet<string>;
  readonly from: number;
  readonly to: number;
  readonly now: number;
}

export type Summary = ReturnType<typeof summarise>;

export function summarise({ history, lessons, falsePositives, from, to, now }: SummaryInput) {
  const until = history.filter(({ created }) => created < to);
  const runs = until.filter(({ created }) => created >= from);
  return {
    period: { from: new Date(from).toISOString(), to: new Date(to).toISOString() },
    tasks: taskMetrics(runs),
    unblock: unblockMetrics(runs, { from, to }),
    learning: learningMetrics({ runs, history: until, lessons, falsePositives, now }),
    missions: missionMetrics(runs, lessons, now),
    criteria: criteria(runs, now),
    by: breakdown(runs, now),
  };
}
