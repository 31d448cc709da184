import type { IncidentMetrics, RunMetrics } from '../../core/view/run-metrics.ts';

/** All incidents of some runs, in their order; a plain loop, because reports do this for every row of every table. */
export function incidentsOf(runs: readonly RunMetrics[]): IncidentMetrics[] {
  const found: IncidentMetrics[] = [];
  for (const run of runs) for (const incident of run.incidents) found.push(incident);
  return found;
}
