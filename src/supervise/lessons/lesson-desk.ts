/** `addLesson`, `approveLesson`, `rejectLesson`: carry out what a person says about a lesson. The ledger keeps each decision. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Lesson, lessonId } from '../../context/lesson.ts';
import { renderLessonFile } from '../../context/lesson-file.ts';
import { contextFolder } from '../../context/read-lessons.ts';
import { readAllMetrics } from '../../core/view/metrics-code.ts';
import { writeFileDurably } from '../../platform/file/durable-write.ts';
import { type MaydayError, usageError } from '../../platform/mayday-error.ts';
import type { RunRecord } from '../../record/contract.ts';
import { unknownClass } from '../request/class-policies.ts';
import { decideLesson, type IndexedLesson, openLessonIndex, type LessonStore } from './lesson-index.ts';
import { safeParse } from '../../platform/safe-parse.ts';

/** Every user may read a lesson file, like the other files of the repository. */
const FILE_MODE = 0o644;

export interface PersonsWord {
  readonly by: string;
  readonly note: string;
  readonly at: number;
}

export interface BriefWith {
  readonly run_id: string;
  readonly attempt: number;
  readonly agent: string;
  readonly state: string;
}

export async function addLesson(
  repository: string,
  draft: Omit<Lesson, 'id' | 'status' | 'learned'>,
  { by, at }: PersonsWord,
): Promise<Lesson> {
  const learned = { run: null, incident: null, by, at: new Date(at).toISOString(), proof: null };
  const parsed = safeParse(Lesson, {
    ...draft,
    id: lessonId(draft.title, `${draft.title}\n${draft.guidance}`),
    learned,
  });
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const key = issue?.path.join('.') ?? 'the lesson';
    throw wrongLesson(
      draft.title === '' || draft.guidance === ''
        ? 'a lesson needs --title and --guidance'
        : `${key}: ${issue?.message ?? 'wrong'}`,
    );
  }
  const odd = unknownClass(parsed.data.classes);
  if (odd !== undefined) throw wrongLesson(`--class ${odd}: there is no such failure class or blocker`);
  const path = fileOf(repository, parsed.data.id);
  if (existsSync(path)) throw wrongLesson(`${path} has this title and guidance already: edit it there`);
  await writeFileDurably(path, renderLessonFile(parsed.data), { mode: FILE_MODE });
  return parsed.data;
}

function wrongLesson(what: string): MaydayError {
  return usageError('WRONG_LESSON', `the lesson is wrong: ${what}`, [
    ['do', 'mayday context --help; docs/reference/classes.md lists classes and blockers'],
    ['did', 'the lesson was not written'],
  ]);
}

/** Approves a lesson with exactly this content. A lesson that was only proposed gets its file now. */
export async function approveLesson(
  place: LessonStore,
  item: IndexedLesson,
  word: PersonsWord,
): Promise<void> {
  const path = fileOf(item.repository, item.lesson.id);
  await decideLesson(place, item, { decision: 'approve', ...word });
  if (item.origin === 'record' && !existsSync(path))
    await writeFileDurably(path, renderLessonFile({ ...item.lesson, status: 'approved' }), {
      mode: FILE_MODE,
    });
  else await noteStatus(path, 'approved');
  await openLessonIndex(place, item.repository, word.at);
}

/** Rejects a proposed lesson, or revokes an approved one. No later brief carries it; the briefs that carried it are returned. */
export async function rejectLesson(
  place: LessonStore,
  item: IndexedLesson,
  word: PersonsWord,
): Promise<{ readonly decision: 'reject' | 'revoke'; readonly briefs: readonly BriefWith[] }> {
  const briefs = await briefsWith(place.record, item.lesson.id);
  const decision = item.standing.decision?.decision === 'approve' || briefs.length > 0 ? 'revoke' : 'reject';
  await decideLesson(place, item, { decision, ...word });
  await noteStatus(fileOf(item.repository, item.lesson.id), decision === 'revoke' ? 'revoked' : 'rejected');
  await openLessonIndex(place, item.repository, word.at);
  return { decision, briefs };
}

/** Every brief that carried the lesson, in any version, oldest first. */
export async function briefsWith(record: RunRecord, id: string): Promise<BriefWith[]> {
  const rows = await record.metrics();
  const { runs } = readAllMetrics(rows.filter((body) => body.includes(id)));
  return runs.flatMap((run) =>
    run.shown
      .filter((shown) => shown.id === id)
      .map(({ attempt }) => ({ run_id: run.id, attempt, agent: run.agent, state: run.state })),
  );
}

/** Finds a lesson by its whole id, or by a beginning that only one lesson has. */
export function findLesson(lessons: readonly IndexedLesson[], name: string): IndexedLesson {
  const exact = lessons.filter(({ lesson }) => lesson.id === name);
  const like =
    exact.length > 0 || name === '' ? exact : lessons.filter(({ lesson }) => lesson.id.startsWith(name));
  if (like.length === 1 && like[0] !== undefined) return like[0];
  throw usageError('UNKNOWN_LESSON', `there is no lesson ${JSON.stringify(name.slice(0, 80))}`, [
    [
      'do',
      like.length > 1
        ? `say which: ${like.map(({ lesson }) => lesson.id).join(', ')}`
        : 'mayday context ls lists the lessons of this repository',
    ],
  ]);
}

/** Changes the `status` line of the file for its readers. Mayday goes by the ledger, not by this line. */
async function noteStatus(path: string, status: Lesson['status']): Promise<void> {
  if (!existsSync(path)) return;
  const text = readFileSync(path, 'utf8');
  const noted = text.replace(/^(---\r?\n(?:(?!---)[^\n]*\n)*?)status: [^\n]*/, `$1status: ${status}`);
  if (noted !== text) await writeFileDurably(path, noted, { mode: FILE_MODE });
}

function fileOf(repository: string, id: string): string {
  return join(contextFolder(repository), `${id}.md`);
}
