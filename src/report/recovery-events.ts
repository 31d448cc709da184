/** `recentEvents`, `systematicEvents`, `openInvestigations`: recent recoveries, shared causes, incidents without a sure cause. */
import { NOT_PROVEN } from '../core/vocabulary/proof.ts';
import { readView } from '../core/view/read-view.ts';
import type { RunMetrics } from '../core/view/run-metrics.ts';
import type { RunJson } from '../core/view/run-json.ts';
import type { RunRecord } from '../record/contract.ts';
import { causesOf, lessonFinder } from './causes.ts';
import { happened } from './metrics/incidents-of.ts';
import type { LessonFacts } from './metrics/learning-metrics.ts';

const RECENT = 10;
const INVESTIGATIONS = 20;
/** This many runs with the same failure are no coincidence. */
const SYSTEMATIC_RUNS = 3;

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
        result: `${run.result ?? run.state}${run.byWord ? ` (${NOT_PROVEN})` : ''}`,
        theory: incident.cause,
        lesson: lessonOf(incident)?.title ?? null,
        outcome: incident.outcome,
      };
    }),
  );
}

export function systematicEvents(runs: readonly RunMetrics[], lessons: readonly LessonFacts[]) {
  return causesOf(runs, lessons, { fewestIncidents: SYSTEMATIC_RUNS })
    .filter((cause) => cause.runs.length >= SYSTEMATIC_RUNS)
    .map(({ class: failure, fingerprint, runs: hit, agents, first_at, last_at, cause, fix, lesson }) => ({
      class: failure,
      fingerprint,
      runs: hit,
      agents,
      first_at,
      last_at,
      cause,
      fix,
      prevention: lesson === null ? null : `${lesson.id} (${lesson.status})`,
    }))
    .toSorted((a, b) => b.runs.length - a.runs.length);
}

export async function openInvestigations(record: RunRecord, runs: readonly RunMetrics[]) {
  const open = happened(runs)
    .filter(
      ({ incident }) =>
        incident.class === 'unknown' ||
        (incident.outcome !== 'resolved' && (incident.outcome !== null || incident.hypotheses > 0)),
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

/** Null for imported sessions, of which only the numbers are kept. */
async function viewOf(record: RunRecord, runId: string): Promise<RunJson | null> {
  const row = await record.row(runId);
  return row === null ? null : readView(row);
}
