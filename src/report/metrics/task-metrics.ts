/** `taskMetrics`: how many tasks succeeded at once, how many had to be rescued, how many were lost (M1). */
import type { RunMetrics } from '../../core/view/run-metrics.ts';
import { incidentsOf } from './incidents-of.ts';
import { reasonTable } from './reasons.ts';
import { FIGURES_OF_RUNS } from './runs-behind.ts';
import { count, distribution, measured, sum } from './statistics.ts';

export function taskMetrics(runs: readonly RunMetrics[]) {
  const incidents = incidentsOf(runs);
  const total = runs.length;
  const of = FIGURES_OF_RUNS;
  const number = (test: (run: RunMetrics) => boolean) => runs.filter(test).length;
  return {
    total,
    open: number(of.open),
    open_after_incident: number((run) => of.open(run) && of.required_recovery(run)),
    unverified: number(of.unverified),
    by_word: number(of.by_word),
    nudged: sum(runs.map(({ nudged }) => nudged)),
    recovered_after_nudge: sum(runs.map((run) => run.recoveredAfterNudge)),
    recovered_after_warning: sum(runs.map((run) => run.recoveredAfterWarning)),
    first_try: count(number(of.first_try), total),
    required_recovery: count(number(of.required_recovery), total),
    recovered: count(number(of.recovered), total),
    failed_after_recovery: count(number(of.failed_after_recovery), total),
    recovery_time_ms: distribution(
      measured(incidents, ({ verified, detected }) => (verified === null ? null : verified - detected)),
    ),
    incidents: incidents.length,
    reasons: reasonTable(incidents),
  };
}
