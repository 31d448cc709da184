/** `missionMetrics`: the rescue missions of a period, and which of them still owe a lesson. */
import type { MissionMetrics, RunMetrics } from '../../core/view/run-metrics.ts';
import { categoryTable, type LessonFacts } from './learning-metrics.ts';
import { count, distribution } from './statistics.ts';

export function missionMetrics(runs: readonly RunMetrics[], lessons: readonly LessonFacts[], now: number) {
  const missions = runs.flatMap((run) => run.missions.map((mission) => ({ run, mission })));
  const over = missions.filter(({ mission }) => mission.outcome !== null);
  const decided = new Set(lessons.filter((lesson) => lesson.decided).map(({ incident }) => incident));
  const lacking = over.filter(({ mission }) => !isEnriched(mission, decided));
  const closed = over.length - lacking.length;
  return {
    total: missions.length,
    under_way: missions.length - over.length,
    closed,
    open: missions.length - closed,
    mttu_ms: distribution(
      missions.flatMap(({ mission: { resumed, detected, outcome } }) =>
        resumed === null || outcome === 're-escalated' || outcome === 'abandoned' ? [] : [resumed - detected],
      ),
    ),
    context_updates: missions.reduce((sum, { mission }) => sum + mission.updates, 0),
    categories: categoryTable(missions.map(({ mission }) => mission)),
    enrichment: count(closed, over.length),
    lacking_enrichment: lacking
      .toSorted((a, b) => (a.mission.due ?? 0) - (b.mission.due ?? 0))
      .map(({ run, mission }) => ({
        mission: mission.id,
        run_id: run.id,
        owner: mission.owner,
        overdue: mission.due !== null && mission.due < now,
      })),
  };
}

/** The mission itself says so, or a person decided on the lesson of its incident. */
function isEnriched({ enriched, incident }: MissionMetrics, decided: ReadonlySet<string | null>): boolean {
  return enriched || (incident !== null && decided.has(incident));
}
