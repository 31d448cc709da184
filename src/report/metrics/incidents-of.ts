/** `incidentsOf`: all incidents of some runs, in their order. `happened`: each with its run. */
import type { IncidentMetrics, RunMetrics } from '../../core/view/run-metrics.ts';

export interface Happened {
  readonly run: RunMetrics;
  readonly incident: IncidentMetrics;
}

export function incidentsOf(runs: readonly RunMetrics[]): readonly IncidentMetrics[] {
  return runs.flatMap(({ incidents }) => incidents);
}

export function happened(runs: readonly RunMetrics[]): readonly Happened[] {
  return runs.flatMap((run) => run.incidents.map((incident) => ({ run, incident })));
}
