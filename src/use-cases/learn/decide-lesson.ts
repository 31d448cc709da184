/** `approveNamedLesson`, `rejectNamedLesson`: record a person's decision on a lesson; the mission that proposed it then owes no lesson. */
import { assertPerson } from '../../supervise/mail/assert-person.ts';
import {
  approveLesson,
  type BriefWith,
  findLesson,
  rejectLesson,
} from '../../supervise/lessons/lesson-desk.ts';
import { type IndexedLesson, openLessonIndex } from '../../supervise/lessons/lesson-index.ts';
import type { Caller } from '../caller.ts';
import { speak } from '../speak.ts';
import type { Lesson } from '../../context/lesson.ts';
import type { RunRecord } from '../../record/contract.ts';
import { loadState } from '../../supervise/load-state.ts';

export interface LessonWord {
  readonly repository: string;
  /** Its id, or a beginning that only one lesson has. */
  readonly lesson: string;
  readonly note: string;
}

export interface LessonApproval {
  readonly type: 'approved';
  readonly item: IndexedLesson;
}

export interface LessonRejection {
  readonly type: 'rejected' | 'revoked';
  readonly item: IndexedLesson;
  readonly briefs: readonly BriefWith[];
  /** The mission that still owes what was learned: a rejection without a note says nothing about it. */
  readonly owing: string | null;
}

/** Throws UNKNOWN_LESSON, like the next. */
export async function approveNamedLesson(caller: Caller, word: LessonWord): Promise<LessonApproval> {
  await assertPerson(caller, 'approving a lesson');
  const at = Date.now();
  const { item, duty } = await find(caller, word, at);
  await approveLesson(caller, item, { by: caller.by, note: word.note, at });
  if (duty !== null) await enrich(caller, duty, [`lesson ${item.lesson.id}`], null);
  return { type: 'approved', item };
}

export async function rejectNamedLesson(caller: Caller, word: LessonWord): Promise<LessonRejection> {
  await assertPerson(caller, 'rejecting a lesson');
  const at = Date.now();
  const { item, duty } = await find(caller, word, at);
  const { note } = word;
  const { decision, briefs } = await rejectLesson(caller, item, { by: caller.by, note, at });
  const explains = note.trim() !== '';
  if (duty !== null && explains) await enrich(caller, duty, [], note);
  const owing = explains ? null : (duty?.mission ?? null);
  return { type: decision === 'revoke' ? 'revoked' : 'rejected', item, briefs, owing };
}

async function find(caller: Caller, { repository, lesson }: LessonWord, now: number) {
  const item = findLesson((await openLessonIndex(caller, repository, now)).lessons, lesson);
  return { item, duty: await dutyOf(caller.record, item.lesson) };
}

async function enrich(
  caller: Caller,
  { runId, mission }: Duty,
  contextUpdates: readonly string[],
  reason: string | null,
): Promise<void> {
  await speak(caller, runId, { type: 'mission_enriched', mission, contextUpdates, reason, by: caller.by });
}

interface Duty {
  readonly runId: string;
  readonly mission: string;
}

/** Finds the mission that proposed a lesson and still owes its enrichment. A person's decision on the lesson ends that duty. */
async function dutyOf(record: RunRecord, { learned }: Lesson): Promise<Duty | null> {
  const { run, incident } = learned;
  if (run === null || incident === null || (await record.row(run)) === null) return null;
  const state = await loadState(record, run);
  const mission = state.missions.find((made) => made.incident === incident && made.enrichedAt === null);
  return mission === undefined ? null : { runId: run, mission: mission.id };
}
