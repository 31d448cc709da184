/**
 * `lessonsBefore`, `lessonsToSearch`: the approved lessons that the core needs before it decides on a fact, and those that an agent may
 * search. The core is pure, so it can be asked what it would decide. If it would explain an incident or plan an attempt, the lessons
 * that fit go to the core first, as a fact.
 */
import { contextPacket, type Packet } from '../../context/context-packet.ts';
import { sourceOf } from '../../context/lesson.ts';
import type { Situation } from '../../context/match-lessons.ts';
import type { Fact } from '../../core/vocabulary/events/event.ts';
import type { Incident, RunState } from '../../core/state/run-state.ts';
import { step } from '../../core/step.ts';
import type { RunMetrics } from '../../core/view/run-metrics.ts';
import { troubledCommands } from './troubled-commands.ts';
import { latestRuns } from './latest-runs.ts';
import { approvedLessons, decideLesson, openLessonIndex, type LessonStore } from './lesson-index.ts';

/** Facts that never lead to a brief. */
// biome-ignore format: words stand together
const QUIET: ReadonlySet<Fact['type']> = new Set([
  'usage_reported', 'progress_observed', 'agent_told', 'attempt_started', 'attempt_ended',
  'checkpoint_taken', 'work_delivered', 'lessons_matched', 'lesson_proposed', 'taken_over', 'released',
]);

/** Returns the fact `lessons_matched`; null: the core needs no lessons for this fact, or has them already. */
export async function lessonsBefore(place: LessonStore, state: RunState, fact: Fact): Promise<Fact | null> {
  if (QUIET.has(fact.type)) return null;
  const next = step(state, fact);
  if (next === null) return null;
  const asked = next.decisions.findLast(
    ({ type }) => type === 'incident_diagnosed' || type === 'attempt_planned',
  );
  if (asked === undefined) return null;
  const incidentId =
    asked.type === 'incident_diagnosed' || asked.type === 'attempt_planned' ? asked.incident : null;
  const incident = next.state.incidents.find(({ id }) => id === incidentId) ?? null;
  const { lessons } = await packetFor(place, next.state, incident, fact.at);
  const same = JSON.stringify(lessons) === JSON.stringify(state.lessons);
  return same ? null : { type: 'lessons_matched', at: fact.at, lessons };
}

export async function packetFor(
  place: LessonStore,
  state: RunState,
  incident: Incident | null,
  now: number,
): Promise<Packet> {
  const index = await openLessonIndex(place, state.repository, now);
  if (!index.lessons.some(({ standing }) => standing.status === 'approved'))
    return { lessons: [], leftOut: [] };
  const runs = await latestRuns(place.record, state.repository);
  const { approved, useless } = approvedLessons(index.lessons, runs);
  for (const item of useless)
    await decideLesson(place, item, {
      decision: 'retire',
      by: 'mayday',
      note: `shown in ${item.efficacy.shown} runs, the trouble came again in ${item.efficacy.recurred}`,
      at: now,
    });
  const packet = contextPacket(approved, situationOf(state, incident, runs));
  const retired = useless.map(({ lesson }) => ({ id: lesson.id, why: 'retired: it did not help' }));
  return { lessons: packet.lessons, leftOut: [...packet.leftOut, ...retired] };
}

/** Every approved lesson of the repository, in the form that an agent may search. */
export async function lessonsToSearch(
  place: LessonStore,
  repository: string,
  now: number,
): Promise<readonly { readonly title: string; readonly guidance: string; readonly source: string }[]> {
  const { lessons } = await openLessonIndex(place, repository, now);
  return lessons
    .filter(({ standing }) => standing.status === 'approved')
    .map(({ lesson }) => ({ title: lesson.title, guidance: lesson.guidance, source: sourceOf(lesson) }));
}

function situationOf(state: RunState, incident: Incident | null, runs: readonly RunMetrics[]): Situation {
  const { created, changed, deleted } = state.partialWork;
  const seen = runs.flatMap(({ incidents }) => incidents);
  const troubled = troubledCommands(
    state.attempts.find(({ number }) => number === incident?.attempt)?.examination,
  );
  return {
    agent: (state.attempts.at(-1)?.agent ?? state.agent).name,
    task: state.task.text,
    paths: [...state.scope.allowed, ...created, ...changed, ...deleted],
    commands: [
      ...state.task.checks,
      ...(state.options.setup === null ? [] : [state.options.setup]),
      ...troubled.tools,
      ...troubled.commands,
    ],
    incident:
      incident === null
        ? null
        : {
            class: incident.class,
            fingerprint: incident.diagnosis?.fingerprint ?? null,
            cause: incident.diagnosis?.rootCause ?? '',
          },
    seen: new Set(seen.flatMap(({ fingerprint }) => (fingerprint === null ? [] : [fingerprint]))),
  };
}
