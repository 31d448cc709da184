/** `breakdown`: the same numbers for each agent, model, repository, class and category. */
import type { IncidentMetrics, RunMetrics } from '../../core/view/run-metrics.ts';
import { incidentsOf } from './incidents-of.ts';
import { stuckMs } from './learning-metrics.ts';
import { count } from './statistics.ts';
import { isFirstTry, NO_CATEGORY, NO_MODEL } from './runs-behind.ts';
import { mttuOf } from './unblock-metrics.ts';

interface InRun {
  readonly run: RunMetrics;
  readonly incident: IncidentMetrics;
}

export function breakdown(runs: readonly RunMetrics[], now: number) {
  const incidents: InRun[] = [];
  for (const run of runs) for (const incident of run.incidents) incidents.push({ run, incident });
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

function incidentRow(name: string, group: readonly InRun[], of: number, now: number) {
  let stuck = 0;
  let resolved = 0;
  const repositories = new Set<string>();
  for (const { run, incident } of group) {
    stuck += stuckMs(run, incident, now);
    if (incident.outcome === 'resolved') resolved += 1;
    repositories.add(run.repository);
  }
  return {
    name,
    incidents: count(group.length, of),
    resolved: count(resolved, group.length),
    mttu_ms: mttuOf(group.map(({ incident }) => incident)),
    stuck_ms: stuck,
    repositories: repositories.size,
  };
}

function runRow(name: string, runs: readonly RunMetrics[], now: number) {
  let firstTry = 0;
  let rescued = 0;
  let failed = 0;
  let stuck = 0;
  let cost = 0;
  for (const run of runs) {
    if (isFirstTry(run)) firstTry += 1;
    if (run.incidents.length > 0) rescued += 1;
    if (run.incidents.length > 0 && run.state === 'abandoned') failed += 1;
    for (const incident of run.incidents) stuck += stuckMs(run, incident, now);
    cost += run.cost;
  }
  return {
    name,
    tasks: runs.length,
    first_try: count(firstTry, runs.length),
    required_recovery: count(rescued, runs.length),
    failed_after_recovery: count(failed, runs.length),
    mttu_ms: mttuOf(incidentsOf(runs)),
    stuck_ms: stuck,
    cost_usd: cost,
  };
}
