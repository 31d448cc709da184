/** `incidentsOf`: all incidents of some runs, in their order. A plain loop, because reports do this for every row of every table. */
import type { IncidentMetrics, RunMetrics } from '../../core/view/run-metrics.ts';

export function incidentsOf(runs: readonly RunMetrics[]): IncidentMetrics[] {
  const found: IncidentMetrics[] = [];
  for (const run of runs) for (const incident of run.incidents) found.push(incident);
  return found;
}
