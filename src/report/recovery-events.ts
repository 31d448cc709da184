/**
 * `recentEvents`, `systematicEvents`, `openInvestigations`: recent recoveries, causes that several runs share, and incidents without a
 * sure cause.
 */
import { isExactFingerprint } from '../core/vocabulary/lesson.ts';
import type { IncidentMetrics, RunMetrics } from '../core/view/run-metrics.ts';
import type { RunJson } from '../core/view/run-json.ts';
import type { RunRecord } from '../record/contract.ts';
import type { LessonFacts } from './metrics/learning-metrics.ts';

const RECENT = 10;
const INVESTIGATIONS = 20;
/** This many runs with the same failure are no coincidence. */
const SYSTEMATIC_RUNS = 3;
/** Incidents without an exact cause belong together only if they happened within this time. */
const TOGETHER_MS = 15 * 60 * 1000;

interface Happened {
  readonly run: RunMetrics;
  readonly incident: IncidentMetrics;
}

export type RecoveryEvent = Awaited<ReturnType<typeof recentEvents>>[number];
export type SystematicEvent = ReturnType<typeof systematicEvents>[number];
export type Investigation = Awaited<ReturnType<typeof openInvestigations>>[number];

/** Latest first, with what only the whole document of the run tells. */
export async function recentEvents(
  record: RunRecord,
  runs: readonly RunMetrics[],
  lessons: readonly LessonFacts[],
) {
  const lessonOf = lessonFinder(lessons);
  const latest = happened(runs)
    .toSorted((a, b) => b.incident.detected - a.incident.detected)
    .slice(0, RECENT);
  return await Promise.all(
    latest.map(async ({ run, incident }) => {
      const view = await viewOf(record, run.id);
      // A journal of an older version knows only what the run has in the end.
      const work = view?.incidents.find(({ id }) => id === incident.id)?.partial_work ?? view?.partial_work;
      const delivered = run.state === 'delivered';
      return {
        incident: incident.id,
        date: new Date(incident.detected).toISOString(),
        agent: incident.agent,
        task: run.title,
        run_id: run.id,
        end: incident.end,
        class: incident.class,
        partial_work: [...(work?.created ?? []), ...(work?.changed ?? []), ...(work?.completed ?? [])],
        missing_work: (work?.missing ?? []).map((what) => ({ what, unnecessary: delivered })),
        strategy: incident.strategy,
        recovery_ms: incident.verified === null ? null : incident.verified - incident.detected,
        result: `${run.result ?? run.state}${run.byWord && delivered ? " (on a person's word, not proven)" : ''}`,
        theory: incident.cause,
        lesson: lessonOf(incident)?.title ?? null,
        outcome: incident.outcome,
      };
    }),
  );
}

export function systematicEvents(runs: readonly RunMetrics[], lessons: readonly LessonFacts[]) {
  const lessonOf = lessonFinder(lessons);
  const groups = Map.groupBy(happened(runs), ({ run, incident }) => {
    const exact = incident.fingerprint !== null && isExactFingerprint(incident.fingerprint);
    return exact
      ? `${incident.fingerprint}`
      : `${incident.class} ${Math.floor(incident.detected / TOGETHER_MS)} ${run.repository}`;
  });
  return [...groups.values()]
    .filter((group) => new Set(group.map(({ run }) => run.id)).size >= SYSTEMATIC_RUNS)
    .map((group) => {
      const fixed = group.findLast(({ incident }) => incident.outcome === 'resolved')?.incident;
      const [first] = group;
      const lesson = group.map(({ incident }) => lessonOf(incident)).find((found) => found !== undefined);
      return {
        class: first?.incident.class ?? 'unknown',
        fingerprint: first?.incident.fingerprint ?? null,
        runs: [...new Set(group.map(({ run }) => run.id))],
        agents: [...new Set(group.map(({ incident }) => incident.agent))].toSorted(),
        first_at: new Date(Math.min(...group.map(({ incident }) => incident.detected))).toISOString(),
        last_at: new Date(Math.max(...group.map(({ incident }) => incident.detected))).toISOString(),
        cause: first?.incident.cause ?? '',
        fix: fixed === undefined ? null : `${fixed.strategy ?? 'none'} (phase ${fixed.phase ?? '-'})`,
        prevention: lesson === undefined ? null : `${lesson.id} (${lesson.status})`,
      };
    })
    .toSorted((a, b) => b.runs.length - a.runs.length);
}

/** Incidents without a sure cause, with the hypotheses and the test that would confirm each. */
export async function openInvestigations(record: RunRecord, runs: readonly RunMetrics[]) {
  const open = happened(runs)
    .filter(
      ({ incident }) =>
        incident.class === 'unknown' ||
        (incident.hypotheses > 0 && incident.outcome !== 'resolved') ||
        (incident.outcome !== null && incident.outcome !== 'resolved'),
    )
    .slice(-INVESTIGATIONS);
  return await Promise.all(
    open.map(async ({ run, incident }) => {
      const view = await viewOf(record, run.id);
      const told = view?.incidents.find(({ id }) => id === incident.id);
      return {
        incident: incident.id,
        run_id: run.id,
        class: incident.class,
        cause: incident.cause,
        outcome: incident.outcome,
        hypotheses: told?.hypotheses ?? [],
      };
    }),
  );
}

function happened(runs: readonly RunMetrics[]): Happened[] {
  const found: Happened[] = [];
  for (const run of runs) for (const incident of run.incidents) found.push({ run, incident });
  return found;
}

/** The lesson that was learned in an incident, or one about the same cause. */
function lessonFinder(
  lessons: readonly LessonFacts[],
): (incident: IncidentMetrics) => LessonFacts | undefined {
  const learnedIn = new Map(lessons.map((lesson) => [lesson.incident, lesson]));
  const about = new Map(
    lessons.flatMap((lesson) => lesson.fingerprints.map((key) => [key, lesson] as const)),
  );
  return ({ id, fingerprint }) =>
    learnedIn.get(id) ?? (fingerprint === null ? undefined : about.get(fingerprint));
}

/** Null for imported sessions, of which only the numbers are kept. */
async function viewOf(record: RunRecord, runId: string): Promise<RunJson | null> {
  const row = await record.row(runId);
  return row === null ? null : (JSON.parse(row.view) as RunJson);
}
