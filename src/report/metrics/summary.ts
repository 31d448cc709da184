/** `summarise`: every number of a report, from the runs of a period. The shape is public: `mayday report --format json`. */
import { breakdown } from './breakdown.ts';
import { calibration } from './calibration.ts';
import { criteria } from './criteria.ts';
import { type LearningInput, learningMetrics } from './learning-metrics.ts';
import { missionMetrics } from './mission-metrics.ts';
import { taskMetrics } from './task-metrics.ts';
import { unblockMetrics } from './unblock-metrics.ts';

/** `history`: all that is known, oldest first. */
export interface SummaryInput extends Omit<LearningInput, 'runs'> {
  readonly from: number;
  readonly to: number;
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
    opinions: calibration({ runs, history: until, lessons, falsePositives }),
  };
}
