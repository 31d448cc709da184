/** `breakdown`: the same numbers for each agent, model, repository, class and category. */
import type { IncidentMetrics, RunMetrics } from '../../core/view/run-metrics.ts';
import { type Happened, happened, incidentsOf } from './incidents-of.ts';
import { stuckMs } from './learning-metrics.ts';
import { FIGURES_OF_RUNS, NO_CATEGORY, NO_MODEL } from './runs-behind.ts';
import { count, sum } from './statistics.ts';
import { mttuOf } from './unblock-metrics.ts';

export function breakdown(runs: readonly RunMetrics[], now: number) {
  const incidents = happened(runs);
  const byRun = (key: (run: RunMetrics) => string, of = runs) =>
    [...Map.groupBy(of, key)]
      .map(([name, group]) => runRow(name, group, now))
      .toSorted((a, b) => b.tasks - a.tasks || (a.name < b.name ? -1 : 1));
  const byIncident = (key: (incident: IncidentMetrics) => string) =>
    [...Map.groupBy(incidents, ({ incident }) => key(incident))]
      .map(([name, group]) => incidentRow(name, group, incidents.length, now))
      .toSorted((a, b) => b.incidents.n - a.incidents.n || (a.name < b.name ? -1 : 1));
  return {
    agent: byRun(({ agent }) => agent, runs.flatMap(partsOf)),
    model: byRun(({ model }) => model ?? NO_MODEL),
    repository: byRun(({ repository }) => repository),
    class: byIncident((incident) => incident.class),
    category: byIncident(({ category }) => category ?? NO_CATEGORY),
  };
}

/** The part of each agent that worked on a run: one that a fallback replaced has failed, the last one has the run's outcome. */
function partsOf(run: RunMetrics): readonly RunMetrics[] {
  const { workers, attempts, incidents, cost, state } = run;
  if (workers.length === 0) return [run];
  return workers.map((worker, index) => ({
    ...run,
    agent: worker.agent,
    attempts: worker.attempts,
    state: index === workers.length - 1 ? state : 'abandoned',
    incidents: incidents.filter(({ agent }) => agent === worker.agent),
    cost: (cost * worker.attempts) / attempts,
  }));
}

function incidentRow(name: string, group: readonly Happened[], of: number, now: number) {
  const resolved = group.filter(({ incident }) => incident.outcome === 'resolved').length;
  return {
    name,
    incidents: count(group.length, of),
    resolved: count(resolved, group.length),
    mttu_ms: mttuOf(group.map(({ incident }) => incident)),
    stuck_ms: sum(group.map(({ run, incident }) => stuckMs(run, incident, now))),
    repositories: new Set(group.map(({ run }) => run.repository)).size,
  };
}

function runRow(name: string, runs: readonly RunMetrics[], now: number) {
  const share = (test: (run: RunMetrics) => boolean) => count(runs.filter(test).length, runs.length);
  const { first_try, required_recovery, failed_after_recovery } = FIGURES_OF_RUNS;
  return {
    name,
    tasks: runs.length,
    first_try: share(first_try),
    required_recovery: share(required_recovery),
    failed_after_recovery: share(failed_after_recovery),
    mttu_ms: mttuOf(incidentsOf(runs)),
    stuck_ms: sum(happened(runs).map(({ run, incident }) => stuckMs(run, incident, now))),
    cost_usd: sum(runs.map(({ cost }) => cost)),
  };
}
