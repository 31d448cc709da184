/** `closeMission`: closes a mission with a lesson, a changed specification, or the reason why neither. */
import { type Mission, missionState } from '../../core/vocabulary/mission.ts';
import { assertPerson } from '../../supervise/mail/assert-person.ts';
import { findLesson } from '../../supervise/lessons/lesson-desk.ts';
import { type IndexedLesson, openLessonIndex } from '../../supervise/lessons/lesson-index.ts';
import { loadState } from '../../supervise/load-state.ts';
import type { Caller } from '../caller.ts';
import { speak } from '../speak.ts';
import type { Refused } from '../refusal.ts';

export interface MissionClosing {
  readonly mission: string;
  /** Ids of approved lessons, or beginnings that only one lesson has. */
  readonly lessons: readonly string[];
  readonly specChanges: readonly string[];
  /** Why there was nothing to learn; empty: not said. */
  readonly reason: string;
}

export type MissionResult =
  | { readonly type: 'closed'; readonly runId: string; readonly mission: Mission }
  | Refused<
      'unknown_mission' | 'mission_under_way' | 'mission_closed' | 'mission_owes' | 'lesson_not_approved'
    >;

export async function closeMission(caller: Caller, closing: MissionClosing): Promise<MissionResult> {
  const { record, by } = caller;
  const id = closing.mission;
  await assertPerson(caller, 'closing a mission');
  const runId = /^(.+)-m\d+$/.exec(id)?.[1];
  const known = runId !== undefined && (await record.row(runId)) !== null;
  const state = known ? await loadState(record, runId) : null;
  const mission = state?.missions.find((one) => one.id === id);
  if (state === null || mission === undefined)
    return { type: 'refused', because: 'unknown_mission', mission: id };
  const stands = missionState(mission);
  if (stands === 'under_way')
    return { type: 'refused', because: 'mission_under_way', mission: id, owner: mission.owner };
  if (stands === 'closed') return { type: 'refused', because: 'mission_closed', mission: id };
  const lessons = await findLessons(caller, state.repository, closing.lessons);
  // An unapproved lesson reaches no other agent, so it closes nothing.
  const open = lessons.find(({ standing }) => standing.status !== 'approved');
  if (open !== undefined) {
    const { status, because: why } = open.standing;
    return { type: 'refused', because: 'lesson_not_approved', lesson: open.lesson.id, status, why };
  }
  const contextUpdates = [
    ...lessons.map(({ lesson }) => `lesson ${lesson.id}`),
    ...closing.specChanges.map((change) => `spec: ${change}`),
  ];
  const reason = closing.reason.trim() || null;
  if (contextUpdates.length === 0 && reason === null)
    return { type: 'refused', because: 'mission_owes', mission: id };
  const word = { type: 'mission_enriched', mission: id, contextUpdates, reason, by } as const;
  const after = await speak(caller, state.runId, word);
  const closed = after.missions.find((one) => one.id === id) ?? mission;
  return { type: 'closed', runId: state.runId, mission: closed };
}

async function findLessons(
  caller: Caller,
  repository: string,
  names: readonly string[],
): Promise<readonly IndexedLesson[]> {
  if (names.length === 0) return [];
  const { lessons } = await openLessonIndex(caller, repository, Date.now());
  return names.map((name) => findLesson(lessons, name));
}
