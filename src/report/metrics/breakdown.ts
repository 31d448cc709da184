/** The same numbers for each agent, model, repository, class and category. */
import type { IncidentMetrics, RunMetrics } from '../../core/view/run-metrics.ts';
import { stuckMs } from './learning-metrics.ts';
import { count, sum } from './statistics.ts';
import { isFirstTry } from './task-metrics.ts';
import { mttuOf } from './unblock-metrics.ts';

export function breakdown(runs: readonly RunMetrics[], now: number) {
  const byRun = (key: (run: RunMetrics) => string) =>
    [...Map.groupBy(runs, key)]
      .map(([name, group]) => runRow(name, group, now))
      .toSorted((a, b) => b.tasks - a.tasks || (a.name < b.name ? -1 : 1));
  const incidents = runs.flatMap((run) => run.incidents.map((incident) => ({ run, incident })));
  const byIncident = (key: (incident: IncidentMetrics) => string) =>
    [...Map.groupBy(incidents, ({ incident }) => key(incident))]
      .map(([name, group]) => ({
        name,
        incidents: count(group.length, incidents.length),
        resolved: count(group.filter(({ incident }) => incident.outcome === 'resolved').length, group.length),
        mttu_ms: mttuOf(group.map(({ incident }) => incident)),
        stuck_ms: sum(group.map(({ run, incident }) => stuckMs(run, incident, now))),
        repositories: new Set(group.map(({ run }) => run.repository)).size,
      }))
      .toSorted((a, b) => b.incidents.n - a.incidents.n || (a.name < b.name ? -1 : 1));
  return {
    agent: byRun(({ agent }) => agent),
    model: byRun(({ model }) => model ?? '(not told)'),
    repository: byRun(({ repository }) => repository),
    class: byIncident((incident) => incident.class),
    category: byIncident(({ category }) => category ?? '(none)'),
  };
}

function runRow(name: string, runs: readonly RunMetrics[], now: number) {
  const rescued = runs.filter((run) => run.incidents.length > 0);
  return {
    name,
    tasks: runs.length,
    first_try: count(runs.filter(isFirstTry).length, runs.length),
    required_recovery: count(rescued.length, runs.length),
    failed_after_recovery: count(rescued.filter(({ state }) => state === 'abandoned').length, runs.length),
    mttu_ms: mttuOf(runs.flatMap((run) => run.incidents)),
    stuck_ms: sum(runs.flatMap((run) => run.incidents.map((incident) => stuckMs(run, incident, now)))),
    cost_usd: sum(runs.map(({ cost }) => cost)),
  };
}
