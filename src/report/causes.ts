/** `causesOf`, `causeDocument`: incidents of many runs by their cause: when it was seen, whom it hit, what helped, what was learned. */
import { createHash } from 'node:crypto';
import { readableQuotes } from '../core/text/quote-fenced.ts';
import { tellingArgument } from '../core/view/activity.ts';
import { normalisedCause } from '../core/diagnose/fingerprint.ts';
import { isExactFingerprint } from '../core/vocabulary/lesson.ts';
import type { IncidentMetrics, RunMetrics } from '../core/view/run-metrics.ts';
import { readView } from '../core/view/read-view.ts';
import type { RunJson } from '../core/view/run-json.ts';
import { isFailureClass } from '../core/vocabulary/classes/failure-class.ts';
import { ruleOf } from '../core/vocabulary/classes/incident-class.ts';
import type { RunRecord } from '../record/contract.ts';
import { type ActiveHold, activeHolds } from '../supervise/active-holds.ts';
import { type Happened, happened } from './metrics/incidents-of.ts';
import { type LessonFacts, stuckMs } from './metrics/learning-metrics.ts';
import { readHistory } from './read-history.ts';

/** Incidents without an exact cause belong together only if they happened within this time. */
const TOGETHER_MS = 15 * 60 * 1000;
const ID_DIGITS = 10;
/** The page of a cause tells the latest ones; the counts tell all. */
const MAX_EVENTS = 100;

export type Cause = ReturnType<typeof causesOf>[number];
export type CauseDocument = NonNullable<Awaited<ReturnType<typeof causeDocument>>>;

/** The latest seen first. Causes of fewer incidents are left out. */
export function causesOf(
  runs: readonly RunMetrics[],
  lessons: readonly LessonFacts[],
  {
    fewestIncidents = 1,
    holds = [],
  }: { readonly fewestIncidents?: number; readonly holds?: readonly ActiveHold[] } = {},
) {
  const lessonOf = lessonFinder(lessons);
  return [...Map.groupBy(happened(runs), (one) => `${one.incident.class} ${causeKey(one)}`)]
    .filter(([, group]) => group.length >= fewestIncidents)
    .map(([, group]) => {
      const fixed = group.findLast(({ incident }) => incident.outcome === 'resolved')?.incident;
      const times = group.map(({ incident }) => incident.detected).toSorted((a, b) => a - b);
      const lesson = group.map(({ incident }) => lessonOf(incident)).find((found) => found !== undefined);
      const [first] = group as [Happened, ...Happened[]];
      const hit = new Set(group.map(({ run }) => run.id));
      return {
        id: causeId(first),
        class: first.incident.class,
        category: first.incident.category,
        /** The kind was judged by conduct: the page of the cause says whether it is only assumed. */
        by_conduct: isByConduct(first.incident.class),
        fingerprint: first.incident.fingerprint,
        cause: first.incident.cause,
        incidents: group.length,
        rescued: group.filter(({ incident }) => incident.outcome === 'resolved').length,
        open: group.filter(({ incident }) => incident.outcome === null).length,
        asked: group.filter(({ incident }) => incident.asked).length,
        /** What its runs spent without progress, in equal shares for the incidents of a run. */
        cost_usd: group.reduce((all, { run }) => all + run.stuckCost / run.incidents.length, 0),
        runs: [...hit],
        /** Runs that wait for a hold of one of them: the cause would have hit these too. */
        held: [
          ...new Set(holds.flatMap(({ hold, waiting }) => (hit.has(hold.holder) ? waiting : []))),
        ].filter((runId) => !hit.has(runId)),
        agents: [...new Set(group.map(({ incident }) => incident.agent))].toSorted(),
        repositories: [...new Set(group.map(({ run }) => run.repository))].toSorted(),
        first_at: iso(times[0] ?? 0),
        last_at: iso(times.at(-1) ?? 0),
        fix: fixed === undefined ? null : `${fixed.strategy ?? 'none'} (phase ${fixed.phase ?? '-'})`,
        lesson:
          lesson === undefined
            ? null
            : { id: lesson.id, title: readableQuotes(lesson.title), status: lesson.status },
      };
    })
    .toSorted((a, b) => b.last_at.localeCompare(a.last_at));
}

/** Null: there is no such cause. */
export async function causeDocument(record: RunRecord, id: string, now: number) {
  const { runs, lessons } = await readHistory(record, { now });
  const cause = causesOf(runs, lessons, { holds: await activeHolds(record, now) }).find(
    (one) => one.id === id,
  );
  if (cause === undefined) return null;
  const members = happened(runs)
    .filter((one) => causeId(one) === id)
    .toSorted((a, b) => b.incident.detected - a.incident.detected);
  const told = await toldBy(record, members);
  return {
    ...cause,
    stuck_ms: members.reduce((all, { run, incident }) => all + stuckMs(run, incident, now), 0),
    events: members.slice(0, MAX_EVENTS).map(({ run, incident }) => ({
      incident: incident.id,
      run_id: run.id,
      title: run.title,
      agent: incident.agent,
      at: iso(incident.detected),
      strategy: incident.strategy,
      noticed_ms: incident.detected - incident.began,
      unblocked_ms: incident.resumed === null ? null : incident.resumed - incident.detected,
      recovered_ms: incident.verified === null ? null : incident.verified - incident.detected,
      outcome: incident.outcome,
    })),
    evidence: (told?.evidence ?? []).map(tellingArgument),
    /** Why it counts as that category. */
    category_reason: told?.category_reason ?? null,
    category_assumed: told !== null && isAssumed(told),
    hypotheses: told?.hypotheses ?? [],
  };
}

/** The kind was judged by conduct alone, and an explanation of that conduct was not tested. */
export function isAssumed({
  class: name,
  hypotheses,
}: Pick<RunJson['incidents'][number], 'class' | 'hypotheses'>): boolean {
  return ruleOf(name).isObserved === true && hypotheses.some(({ state }) => state === 'open');
}

/** Imported sessions may have classes of another version. */
function isByConduct(name: string): boolean {
  return isFailureClass(name) && ruleOf(name).isObserved === true;
}

/** What only the whole document of a run tells; sessions that were imported have none. */
async function toldBy(record: RunRecord, members: readonly Happened[]) {
  for (const { run, incident } of members.slice(0, MAX_EVENTS)) {
    const row = await record.row(run.id);
    if (row === null) continue;
    return readView(row).incidents.find(({ id }) => id === incident.id) ?? null;
  }
  return null;
}

export function lessonFinder(
  lessons: readonly LessonFacts[],
): (incident: IncidentMetrics) => LessonFacts | undefined {
  const learnedIn = new Map(lessons.map((lesson) => [lesson.incident, lesson]));
  const about = new Map(
    lessons.flatMap((lesson) => lesson.fingerprints.map((key) => [key, lesson] as const)),
  );
  return ({ id, fingerprint }) =>
    learnedIn.get(id) ?? (fingerprint === null ? undefined : about.get(fingerprint));
}

function causeId(one: Happened): string {
  const digest = createHash('sha256').update(causeKey(one)).digest('hex');
  return `${one.incident.class}-${digest.slice(0, ID_DIGITS)}`;
}

function causeKey({ run, incident }: Happened): string {
  const { fingerprint } = incident;
  if (fingerprint !== null && isExactFingerprint(fingerprint)) return fingerprint;
  return [
    incident.class,
    Math.floor(incident.detected / TOGETHER_MS),
    run.repository,
    normalisedCause(incident.cause),
  ].join(' ');
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
